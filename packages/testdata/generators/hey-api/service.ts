import { client } from './generated/client.gen.js';
import { createConnection, createEvent, createUser, deleteMe, getFeed, logIn, searchUsers } from './generated/sdk.gen.js';
import { answered, play } from './story.js';

client.setConfig({ baseUrl: process.env.REFSERVER_URL });
const as = (session: string) => ({ auth: `${process.env.REFSERVER_APP_TOKEN}:${session}` });

play({
  async createUser(body) {
    const { data, response } = await createUser({ ...as(''), body });
    return answered(response?.status ?? 0, data);
  },
  async logIn(body) {
    const { data, response } = await logIn({ ...as(''), body });
    return answered(response?.status ?? 0, data);
  },
  async follow(session, user_to_id) {
    const { data, response } = await createConnection({ ...as(session), body: { user_to_id, type: 'follow' } });
    return answered(response?.status ?? 0, data);
  },
  async post(session, body) {
    const { data, response } = await createEvent({ ...as(session), body });
    return answered(response?.status ?? 0, data);
  },
  async feed(session) {
    const { data, response } = await getFeed(as(session));
    return answered(response?.status ?? 0, data);
  },
  async search(session, q) {
    const { data, response } = await searchUsers({ ...as(session), query: { q } });
    return answered(response?.status ?? 0, data);
  },
  async deleteMe(session) {
    const { response } = await deleteMe(as(session));
    answered(response?.status ?? 0, null);
  },
  async feedUnauthorized() {
    const { error, response } = await getFeed(as('none'));
    const message: string | undefined = error?.errors?.[0]?.message;
    answered(message ? 200 : 500, message);
    return response?.status ?? 0;
  },
});
