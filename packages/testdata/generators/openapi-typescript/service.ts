import createClient from 'openapi-fetch';

import type { paths } from './generated/schema.js';
import { answered, authorization, play } from './story.js';

const client = createClient<paths>({ baseUrl: process.env.REFSERVER_URL });
const as = (session: string) => ({ headers: { authorization: authorization(session) } });

play({
  async createUser(body) {
    const { data, response } = await client.POST('/0.2/users', { ...as(''), body });
    return answered(response.status, data);
  },
  async logIn(body) {
    const { data, response } = await client.POST('/0.2/user/login', { ...as(''), body });
    return answered(response.status, data);
  },
  async follow(session, user_to_id) {
    const { data, response } = await client.POST('/0.2/user/connections', { ...as(session), body: { user_to_id, type: 'follow' } });
    return answered(response.status, data);
  },
  async post(session, body) {
    const { data, response } = await client.POST('/0.2/user/events', { ...as(session), body });
    return answered(response.status, data);
  },
  async feed(session) {
    const { data, response } = await client.GET('/0.2/user/feed', as(session));
    return answered(response.status, data);
  },
  async search(session, q) {
    const { data, response } = await client.GET('/0.2/users/search', { ...as(session), params: { query: { q } } });
    return answered(response.status, data);
  },
  async deleteMe(session) {
    const { response } = await client.DELETE('/0.2/user', as(session));
    answered(response.status, null);
  },
  async feedUnauthorized() {
    const { error, response } = await client.GET('/0.2/user/feed', as('none'));
    const message: string | undefined = error?.errors?.[0]?.message;
    answered(message ? 200 : 500, message);
    return response.status;
  },
});
