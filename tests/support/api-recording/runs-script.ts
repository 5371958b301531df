import { del, edges, get, patch, post, put, type Step } from './steps'

const gone = '01a20071-0000-7000-8000-000000000000'
const ids = (rest = '') => [`/runs/nothing${rest}`, `/runs/${gone}${rest}`]
const ended = { until: 'ended' }
const usage = '[[usage 100 20]]'
const hello = {
  configuration: 'fast',
  prompt: `${usage} [[say: Hello.]]`,
  tools: ['append_line', 'list_groups'],
}
const failures = {
  name: 'Failures',
  query: { failure: 'any', minCost: 0.01, sort: '-cost' },
  columns: ['prompt', 'state', 'cost'],
}
const key = { headers: { 'idempotency-key': 'once' } }
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const files: Step[] = [
  { ask: 'POST /files?name=notes.txt', text: 'Some notes.', save: { notes: 'id' } },
  { ask: 'POST /files?dataClass=content', as: 'member', text: 'Mine.', save: { mine: 'id' } },
  { ask: "POST /files?name=it's%20(1).txt", text: 'Odd name.', save: { odd: 'id' } },
  { ask: 'POST /files?name=pixel.txt', bytes: png, save: { pixel: 'id' } },
  get('/files/{pixel}/content'),
  { ask: 'POST /files', text: '' },
  { ask: 'POST /files', text: 'MZ\u0000\u0001' },
  { ask: 'POST /files?dataClass=moon', text: 'x' },
  { ask: `POST /files?name=${'x'.repeat(1_001)}`, text: 'x' },
  { ask: 'POST /files', text: 'x', as: 'nobody' },
  { ask: 'POST /files', text: 'x', as: 'wrong key' },
  { ask: 'POST /files', text: 'x', as: 'usage:read' },
  ...edges('/files', {}),
  get('/files/{notes}/content'),
  get('/files/{notes}/content', { as: 'member' }),
  get('/files/{mine}/content', { as: 'member' }),
  get('/files/{mine}/content'),
  get('/files/{odd}/content'),
  ...edges(
    '/files/{notes}/content',
    { GET: null },
    { members: true, unknown: ['/files/nothing/content', `/files/${gone}/content`] },
  ),
]

const runs: Step[] = [
  get('/runs'),
  post('/runs', hello, { as: 'member', save: { run: 'runId' } }),
  get('/runs/{run}', { as: 'member', ...ended }),
  get('/runs/{run}'),
  get('/runs/{run}', { as: 'other' }),
  patch(
    '/runs/{run}',
    { addTags: [' To  Check ', 'done'], note: 'The answer is right.' },
    { as: 'member' },
  ),
  patch('/runs/{run}', { removeTags: ['done'] }),
  patch('/runs/{run}', { addTags: ['x'.repeat(33)], note: 'x'.repeat(2_001) }),
  patch('/runs/{run}', { addTags: ['mine'] }, { as: 'other' }),
  get('/runs?tag=to%20check', { as: 'member' }),
  get('/runs/{run}/events', { as: 'member' }),
  get('/runs/{run}/events?after=100000'),
  get('/runs/{run}/events?after=x'),
  get('/runs/{run}/events', { headers: { 'last-event-id': '100000' } }),
  get('/runs/{run}/events', { headers: { 'last-event-id': 'x' } }),
  get('/runs/{run}/events', { as: 'other' }),
  post('/runs', hello, { ...key, save: { once: 'runId' } }),
  get('/runs/{once}', ended),
  post('/runs', hello, key),
  post('/runs', { ...hello, prompt: 'Something else' }, key),
  post('/runs', hello, { headers: { 'idempotency-key': 'x'.repeat(201) } }),
  post('/runs', hello, { as: 'other' }),
  post('/runs', hello, { as: 'session without origin' }),
  post('/runs', {}),
  post('/runs', { ...hello, configuration: 'fsat' }),
  post('/runs', { ...hello, max_rounds: 3 }),
  post('/runs', { ...hello, maxRounds: 51 }, { save: { long: 'runId' } }),
  get('/runs/{long}', ended),
  post('/runs', { ...hello, maxRounds: 50 }, { as: 'member', save: { limited: 'runId' } }),
  get('/runs/{limited}', ended),
  post('/runs', { ...hello, tools: ['no_such_tool'] }, { save: { toolless: 'runId' } }),
  get('/runs/{toolless}', ended),
  post('/runs', { ...hello, variables: { who: 'x' } }),
  post('/runs', { ...hello, files: [{ id: '{mine}' }] }, { save: { attached: 'runId' } }),
  get('/runs/{attached}', ended),
  post('/runs', { ...hello, files: [{ id: gone }, { id: gone }] }),
  post('/runs', {
    configuration: 7,
    prompt: 'x'.repeat(200_001),
    tools: [''],
    costCap: { limitMicroUsd: 0, mode: 'hope' },
    outputSchema: 'text',
  }),
  post(
    '/runs',
    {
      ...hello,
      prompt: `${usage} [[call list_groups {}]] [[call no_such_tool {}]] [[then]] ${usage} [[say: All is well.]]`,
      files: [{ id: '{notes}', dataClass: 'content' }],
      maxRounds: 3,
      costCap: { limitMicroUsd: 1_000_000 },
    },
    { save: { calls: 'runId' } },
  ),
  get('/runs/{calls}', ended),
  get('/runs/{calls}/events'),
  post(
    '/runs',
    { task: 'greet', variables: { who: 'Kim' }, tools: [] },
    { save: { task: 'runId' } },
  ),
  get('/runs/{task}', ended),
  post('/runs', { task: 'greet' }),
  post('/runs', { task: 'greet', variables: { who: 'Kim', tone: 'loud', why: 1 } }),
  post('/runs', { task: 'greet', prompt: 'Hello', variables: { who: 'Kim' } }),
  post('/runs', { task: 'free' }),
  post('/runs', { task: 'nothing' }),
  post('/runs', { task: 'greet', variables: { who: 'Kim' } }, { as: 'other' }),
  post(
    '/runs',
    { ...hello, prompt: '[[status 400]]', outputSchema: { type: 'object' } },
    { save: { failed: 'runId' } },
  ),
  get('/runs/{failed}', ended),
  get('/runs'),
  get('/runs', { as: 'member' }),
  get('/runs?page=2&pageSize=2&sort=started'),
  get('/runs?sort=-cost&pageSize=1'),
  get('/runs?search=all%20is%20well'),
  get('/runs?status=ended&reason=provider-error'),
  get('/runs?configuration={fast}&user={member id}'),
  get('/runs?task={greet}'),
  get('/runs?tool=list_groups&model={test}&connection={models}'),
  get('/runs?to=2020-01-01T00:00:00Z'),
  get('/runs?usedFrom=2020-01-01&tool=list_groups&usedTo=2020-01-02'),
  get('/runs?status=dead&reason=bored&configuration=fast&page=0&pageSize=201&sort=colour'),
  get('/runs?from=soon&search=%00'),
  get('/run-views', { as: 'member' }),
  post('/run-views', failures, { as: 'member', save: { view: 'id' } }),
  post('/run-views', { ...failures, name: 'failures' }, { as: 'member' }),
  post('/run-views', { ...failures, shared: true }, { as: 'member' }),
  post('/run-views', { ...failures, query: { failure: 'any', page: 2 } }),
  post('/run-views', { ...failures, name: ' ', columns: ['colour'] }),
  patch('/run-views/{view}', { columns: ['id', 'cost'] }, { as: 'member' }),
  patch('/run-views/{view}', { name: 'Mine' }),
  put('/run-views/{view}/sharing', { shared: true }, { as: 'member' }),
  post('/run-views', { ...failures, shared: true }, { save: { shared: 'id' } }),
  patch('/run-views/{shared}', { name: 'All failures' }),
  get('/run-views', { as: 'member' }),
  del('/run-views/{shared}', { as: 'member' }),
  put('/run-views/{shared}/sharing', { shared: false }),
  get('/run-views', { as: 'other' }),
  del('/run-views/{shared}'),
  del('/run-views/{view}', { as: 'member' }),
  del('/run-views/{view}', { as: 'member' }),
  ...edges('/run-views', { GET: null, POST: { ...failures, name: '' } }, { members: true }),
  ...edges(
    `/run-views/${gone}`,
    { PATCH: { name: 'x' }, DELETE: null },
    { members: true, unknown: ['/run-views/nothing'] },
  ),
  ...edges(`/run-views/${gone}/sharing`, { PUT: { shared: false } }, { members: true }),
  ...edges('/runs', { GET: null, POST: { ...hello, prompt: '' } }, { members: true }),
  ...edges('/runs/{run}', { GET: null, PATCH: { addTags: [] } }, { members: true, unknown: ids() }),
  ...edges('/runs/{run}/events', { GET: null }, { members: true, unknown: ids('/events') }),
]

const append = (line: string) => ({
  ...hello,
  prompt: `${usage} [[call append_line {"text":"${line}"}]] [[then]] ${usage} [[say: Done.]]`,
})
const waiting = { until: 'waiting', as: 'member' } as const
const mine = { as: 'member' } as const
const hash = { argumentsHash: '{hash}' }
const approve = { ...hash, decision: { type: 'approve', message: '' } }
const edited = { type: 'edit', argumentsText: '{"text":"edited"}', message: 'shorter' }
/** Starts a run that waits, and lists what it waits for. */
const waits = (line: string, run: string): Step[] => [
  post('/runs', append(line), { ...mine, save: { [run]: 'runId' } }),
  get(`/runs/{${run}}`, waiting),
  get('/approvals', {
    save: { approval: 'approvals.0.approvalId', hash: 'approvals.0.argumentsHash' },
  }),
]

const approvals: Step[] = [
  post('/approval-rules', { name: 'Writes', toolName: 'append_line' }),
  get('/approvals'),
  ...waits('one', 'waiting run'),
  get('/approvals', mine),
  get('/approvals', { as: 'other' }),
  get('/runs?status=waiting'),
  put('/runs/{waiting run}/cost-cap', { choice: 'enforce' }, mine),
  ...edges('/approvals', { GET: null }, { members: true }),
  ...edges(
    '/approvals/{approval}',
    { POST: { argumentsHash: 'b'.repeat(64), decision: { type: 'deny' } } },
    { members: true, unknown: ['/approvals/nothing', `/approvals/${gone}`] },
  ),
  post('/approvals/{approval}', {}),
  post('/approvals/{approval}', { argumentsHash: 'x', decision: { type: 'perhaps' } }),
  post('/approvals/{approval}', { ...hash, decision: { type: 'edit' } }),
  post('/approvals/{approval}', { ...hash, decision: { ...edited, argumentsText: '{"a":1}' } }),
  post('/approvals/{approval}', { ...approve, argumentsHash: 'b'.repeat(64) }),
  post('/approvals/{approval}', approve, { as: 'other' }),
  post('/approvals/{approval}', approve, mine),
  post('/approvals/{approval}', approve, mine),
  get('/runs/{waiting run}', { ...mine, ...ended }),
  ...waits('two', 'edited run'),
  post('/approvals/{approval}', { ...hash, decision: edited }),
  get('/runs/{edited run}', ended),
  ...waits('three', 'denied run'),
  post('/approvals/{approval}', { ...hash, decision: { type: 'deny', message: 'not today' } }),
  get('/runs/{denied run}', ended),
  get('/approvals?status=decided'),
  get('/approvals?status=all&decision=denied&page=1&pageSize=1'),
  get('/approvals?status=all&search=edited'),
  get('/approvals?status=some&decision=maybe&page=x&pageSize=101'),
]

const capped = { ...append('four'), costCap: { limitMicroUsd: 1_000_000 } }
const stopping: Step[] = [
  post('/runs', capped, { ...mine, save: { capped: 'runId' } }),
  get('/runs/{capped}', waiting),
  put('/runs/{capped}/cost-cap', { choice: 'enforce' }, mine),
  put('/runs/{capped}/cost-cap', { choice: 'enforce' }),
  put('/runs/{capped}/cost-cap', { choice: 'ignore' }, mine),
  put('/runs/{capped}/cost-cap', { choice: 'perhaps' }),
  put('/runs/{capped}/cost-cap', {}),
  put('/runs/{capped}/cost-cap', { choice: 'warn' }, { as: 'other' }),
  ...edges(
    '/runs/{capped}/cost-cap',
    { PUT: { choice: 'warn' } },
    { members: true, unknown: ids('/cost-cap') },
  ),
  post('/runs/{capped}/cancel', { why: 'x' }, mine),
  post('/runs/{capped}/cancel', { reason: 'x'.repeat(501) }, mine),
  post('/runs/{capped}/cancel', undefined, { as: 'other' }),
  { ask: 'POST /runs/{capped}/cancel', text: '{', headers: { 'content-type': 'application/json' } },
  { ask: 'POST /runs/{capped}/cancel', text: '{}', headers: { 'content-type': 'text/plain' } },
  ...edges('/runs/{capped}/cancel', { POST: null }, { members: true, unknown: ids('/cancel') }),
  post('/runs/{capped}/cancel', { reason: 'No longer needed' }, mine),
  get('/runs/{capped}', ended),
  post('/runs/{capped}/cancel', undefined, mine),
  put('/runs/{capped}/cost-cap', { choice: 'warn' }),
  get('/runs?reason=cancelled'),
  del('/approval-rules/Writes'),
  patch('/runs', {}),
]

export const filesScript = files
export const runsScript = runs
export const approvalsScript = [...approvals, ...stopping]
