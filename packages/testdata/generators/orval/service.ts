import { createConnection, createEvent, createUser, deleteMe, getFeed, logIn, searchUsers } from './generated/client.js';
import { answered, authorization, play } from './story.js';

const as = (session: string) => ({ headers: { authorization: authorization(session) } });

play({
  async createUser(user) {
    const answer = await createUser(user, undefined, as(''));
    return answered(answer.status, answer.status === 201 ? answer.data : undefined);
  },
  async logIn(login) {
    const answer = await logIn(login, undefined, as(''));
    return answered(answer.status, answer.status === 200 ? answer.data : undefined);
  },
  async follow(session, user_to_id) {
    const answer = await createConnection({ user_to_id, type: 'follow' }, as(session));
    return answered(answer.status, answer.status === 201 ? answer.data : undefined);
  },
  async post(session, event) {
    const answer = await createEvent(event, as(session));
    return answered(answer.status, answer.status === 201 ? answer.data : undefined);
  },
  async feed(session) {
    const answer = await getFeed(as(session));
    return answered(answer.status, answer.status === 200 ? answer.data : undefined);
  },
  async search(session, q) {
    const answer = await searchUsers({ q }, as(session));
    return answered(answer.status, answer.status === 200 ? answer.data : undefined);
  },
  async deleteMe(session) {
    answered((await deleteMe(as(session))).status, null);
  },
  async feedUnauthorized() {
    const answer = await getFeed(as('none'));
    const message = answer.status === 401 ? answer.data.errors?.[0]?.message : undefined;
    answered(message ? 200 : 500, message);
    return answer.status;
  },
});
