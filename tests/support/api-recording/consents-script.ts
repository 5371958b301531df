import { del, edges, get, nobody, post, type Step } from './steps'

const agreed = { hash: '{consent hash}', decision: 'approve' }

/** Requests about the consent to a schedule that runs as a member, which begins as `schedule`. */
export function consents(schedule: object): Step[] {
  return [
    post('/schedules', schedule, { as: 'session', save: { asking: 'schedule.id' } }),
    get('/consents', { as: 'member', save: { 'consent hash': 'consents.0.hash' } }),
    get('/consents', { as: 'other' }),
    post('/consents/{asking}', { hash: 'x', decision: 'approve' }, { as: 'member' }),
    post('/consents/{asking}', agreed),
    post('/consents/{asking}', { ...agreed, decision: 'perhaps' }, { as: 'member' }),
    post('/consents/{asking}', agreed, { as: 'member' }),
    get('/schedules/{asking}'),
    ...edges('/consents', { GET: null }, { members: true }),
    ...edges(
      '/consents/{asking}',
      { POST: agreed, DELETE: null },
      { members: true, unknown: nobody('consents') },
    ),
    del('/consents/{asking}', { as: 'member' }),
    del('/schedules/{asking}', { as: 'session' }),
  ]
}
