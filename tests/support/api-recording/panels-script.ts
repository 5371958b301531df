import { del, edges, get, post, put, type Step } from './steps'

const gone = '01a20071-0000-7000-8000-000000000000'
const ended = { until: 'ended' }
const careful = { identifier: 'careful', name: 'Careful', modelId: '{test}', groupIds: ['{team}'] }
const conferred = {
  configurations: ['fast', 'careful'],
  prompt: '[[usage 100 20]] [[say: Hello.]]',
  tools: ['list_groups'],
  costCap: { mode: 'enforce', limitMicroUsd: 1_000_000 },
}
const held = { ...conferred, prompt: '[[wait 30000ms]] [[say: Late.]]' }
const coordinated = {
  prompt: conferred.prompt,
  proposer: { configuration: 'fast', hops: 1 },
  critics: [{ configuration: 'careful', instructions: 'Object to everything.' }],
  synthesizer: { configuration: 'careful' },
}

const review = {
  identifier: 'review',
  name: 'Review',
  prompt: '[[usage 100 20]] [[say: Hello.]] {{plan}}',
  variables: [{ name: 'plan' }],
  panel: {
    kind: 'coordinate',
    proposer: { configuration: 'fast' },
    critics: [{}],
    synthesizer: { instructions: 'Be short.' },
  },
}
const given = { configuration: 'fast', variables: { plan: 'Ship it.' } }

const tasksAsPanels: Step[] = [
  post('/tasks', { ...review, panel: { ...review.panel, critics: [{ configuration: 'no' }] } }),
  post('/tasks', { ...review, outputSchema: { type: 'object' } }),
  post('/tasks', review),
  get('/tasks/review', { as: 'member' }),
  post('/tasks/review/run', given, { as: 'member', save: { review: 'panelId' } }),
  get('/panels/{review}', { as: 'member', ...ended }),
  post('/tasks/review/run', { variables: {} }, { as: 'member' }),
  post('/tasks/review/run', { ...given, variables: {}, tools: [] }, { as: 'member' }),
  post('/runs', { task: 'review', ...given }, { as: 'member' }),
  ...edges('/tasks/review/run', { POST: given }, { members: true }),
  post('/tasks/nothing/run', given, { as: 'member' }),
]

export const panels: Step[] = [
  post('/configurations', careful),
  post('/panels', conferred, { as: 'member', save: { panel: 'panelId' } }),
  get('/panels/{panel}', { as: 'member', ...ended }),
  put('/panels/{panel}/choice', { runId: null, note: 'None of them.' }, { as: 'member' }),
  put('/panels/{panel}/choice', { runId: gone }, { as: 'member' }),
  post('/panels/{panel}/stop', undefined, { as: 'member' }),
  get('/panels', { as: 'member' }),
  get('/panels?chosen=yes&search=hello', { as: 'member' }),
  get('/panels', { as: 'other' }),
  get('/panels/{panel}', { as: 'other' }),
  post('/panels', { ...conferred, configurations: ['fast'] }),
  post('/panels', { ...conferred, configurations: ['fast', 'fast'] }),
  post('/panels', { ...conferred, configurations: ['fast', 'nothing'], hops: 0 }),
  post('/panels', { ...conferred, prompt: ' ', tool: 'x' }),
  ...edges('/panels', { GET: null, POST: conferred }, { members: true }),
  ...edges(`/panels/${gone}`, { GET: null }, { members: true, unknown: ['/panels/nothing'] }),
  ...edges(`/panels/${gone}/stop`, { POST: {} }, { members: true }),
  put('/panels/{panel}/cost-cap', { choice: 'enforce' }, { as: 'member' }),
  post('/panels', held, { as: 'member', save: { held: 'panelId' } }),
  put('/panels/{held}/cost-cap', { choice: 'enforce' }),
  put('/panels/{held}/cost-cap', { choice: 'ignore' }, { as: 'member' }),
  put('/panels/{held}/cost-cap', { choice: 'ignore' }, { as: 'other' }),
  put('/panels/{held}/cost-cap', { choice: 'perhaps' }, { as: 'member' }),
  post('/panels/{held}/stop', undefined, { as: 'member', before: 'active runs ask their models' }),
  get('/panels/{held}', { as: 'member', ...ended }),
  ...edges(`/panels/${gone}/cost-cap`, { PUT: { choice: 'warn' } }, { members: true }),
  ...edges(`/panels/${gone}/choice`, { PUT: { runId: null } }, { members: true }),
  post('/coordinations', coordinated, { as: 'member', save: { coordination: 'panelId' } }),
  get('/panels/{coordination}', { as: 'member', ...ended }),
  post('/coordinations', { ...coordinated, critics: [] }),
  post('/coordinations', { ...coordinated, synthesizer: { configuration: 'nothing' } }),
  post('/coordinations', { ...coordinated, synthesizer: { configuration: 'fast', hops: 2 } }),
  ...edges('/coordinations', { POST: coordinated }, { members: true }),
  ...tasksAsPanels,
  del('/configurations/careful?reason=compared'),
]
