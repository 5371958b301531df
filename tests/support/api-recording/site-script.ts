import { consents } from './consents-script'
import { byPerson, del, edges, get, nobody, patch, post, put, type Step } from './steps'

const rule = {
  name: 'Debug lines',
  toolName: 'get_env',
  configuration: 'fast',
  conditions: [{ path: '$.names[*]', operator: 'contains', value: 'DEBUG' }],
}

const rules: Step[] = [
  get('/approval-rules'),
  post('/approval-rules', rule, { save: { rule: 'rule.id' } }),
  post('/approval-rules', rule),
  post('/approval-rules', { name: 'Typo', toolName: 'get_enf' }),
  post('/approval-rules', { name: 'Typo', toolGroup: 'sistem' }),
  post('/approval-rules', { name: 'Typo', configuration: 'fsat' }),
  post('/approval-rules', { name: 'Later', toolName: 'coming_tool', notYet: true }),
  post('/approval-rules', { name: 'All', toolGroup: 'system', enabled: false }),
  post('/approval-rules', { name: 'Nothing' }),
  post('/approval-rules', {}),
  post('/approval-rules', {
    name: '',
    conditions: [
      { path: 'x', operator: 'equals' },
      { path: '$.a', operator: 'greater-than', value: 'b' },
      { path: '$.a', operator: 'exists', value: 'b' },
      { path: '$.a', operator: 'roughly', value: 'b' },
    ],
  }),
  get('/approval-rules'),
  get('/approval-rules/{rule}'),
  get('/approval-rules/Debug%20lines'),
  patch('/approval-rules/{rule}', {}),
  patch('/approval-rules/{rule}', { name: 'Debug', configuration: null, reason: 'for all' }),
  patch('/approval-rules/Debug', { enabled: false, reason: 'too many' }),
  patch('/approval-rules/Debug', { enabled: false }),
  patch('/approval-rules/Debug', { enabled: true, toolGroup: 'system' }),
  patch('/approval-rules/Debug', { action: 'deny' }),
  patch('/approval-rules/Debug', { fourEyes: true }),
  patch('/approval-rules/Debug', { action: 'ask', fourEyes: true }),
  patch(
    '/approval-rules/Debug',
    { action: 'ask-once', fourEyes: true, conditions: rule.conditions },
    { headers: { 'toolgate-confirm': 'nobody can approve' } },
  ),
  patch('/approval-rules/Debug', { action: 'refuse' }),
  patch('/approval-rules/Debug', { toolName: 'coming_tool' }),
  patch('/approval-rules/Debug', { toolName: 'coming_tool', notYet: true }),
  patch(
    '/approval-rules/Debug',
    { toolName: null, toolGroup: null, conditions: [] },
    { as: 'session' },
  ),
  patch('/approval-rules/Debug', { name: 'All' }),
  patch('/approval-rules/Debug', { configuration: 'fsat' }),
  patch('/approval-rules/Debug', { name: '', enabled: 'no', conditions: {}, notYet: 1 }),
  ...edges('/approval-rules', { GET: null, POST: { ...rule, name: 'never' } }),
  ...edges(
    '/approval-rules/{rule}',
    { GET: null, PATCH: { name: 'Debug' }, DELETE: null },
    { unknown: nobody('approval-rules') },
  ),
  del('/approval-rules/Later'),
  ...byPerson([
    del(`/approval-rules/Later?reason=${'x'.repeat(501)}`),
    del('/approval-rules/Later?reason=never%20came'),
    del('/approval-rules/Later'),
  ]),
  del('/approval-rules/All'),
  del('/approval-rules/{rule}', { as: 'session' }),
]

const budget = { scope: 'site', window: 'month', unit: 'micro-usd', amount: 900_000_000_000 }
const budgets: Step[] = [
  get('/budgets'),
  post('/budgets', { ...budget, reason: 'as agreed' }, { save: { budget: 'budget.id' } }),
  post('/budgets', budget),
  post('/budgets', { ...budget, scope: 'group', scopeId: '{team}', unit: 'tokens', window: 'day' }),
  post('/budgets', { ...budget, scope: 'user', scopeId: '{member id}', enabled: false }),
  post('/budgets', {
    ...budget,
    scope: 'configuration',
    scopeId: '{fast}',
    unit: 'requests',
    unpriced: 'count-tokens',
  }),
  post('/budgets', { ...budget, scope: 'group', scopeId: '{fast}' }),
  post('/budgets', { ...budget, scope: 'group' }),
  post('/budgets', { ...budget, scopeId: '{team}' }),
  post('/budgets', { scope: 'moon', window: 'year', unit: 'euro', amount: 0, unpriced: 'hope' }),
  post('/budgets', {}),
  get('/budgets?sort=title'),
  get('/budgets?sort=-limit&scope=group'),
  get('/budgets?state=off'),
  get('/budgets?search=team'),
  get('/budgets?page=2'),
  get('/budgets?sort=colour&scope=moon&state=maybe'),
  get(`/budgets?search=${'x'.repeat(201)}`),
  get('/budgets/{budget}'),
  patch('/budgets/{budget}', {}),
  patch('/budgets/{budget}', { amount: 60_000_000, unpriced: 'count-tokens', reason: 'more' }),
  patch('/budgets/{budget}', { enabled: false, reason: 'pause' }),
  patch('/budgets/{budget}', { enabled: true, amount: 70_000_000 }),
  patch('/budgets/{budget}', { amount: 1.5, unpriced: 'hope', enabled: 'no' }),
  patch('/budgets/{budget}', { window: 'day' }),
  ...edges('/budgets', { GET: null, POST: { ...budget, window: 'day' } }),
  ...edges(
    '/budgets/{budget}',
    { GET: null, PATCH: { amount: 1 }, DELETE: null },
    { unknown: nobody('budgets') },
  ),
  del(`/budgets/{budget}?reason=${'x'.repeat(501)}`),
  del('/budgets/{budget}?reason=ended'),
  del('/budgets/{budget}'),
]

const schedule = { name: 'Daily', cron: '0 7 * * *', configurationId: '{fast}', prompt: 'Report.' }
const byName = { name: 'By name', cron: '0 8 * * *', configuration: 'fast', prompt: 'Report.' }
const schedules: Step[] = [
  get('/schedules'),
  post('/schedules', { ...schedule, reason: 'as agreed' }, { save: { schedule: 'schedule.id' } }),
  post('/schedules', schedule),
  post('/schedules', { ...schedule, name: 'Off', timeZone: 'Europe/Berlin', enabled: false }),
  post('/schedules', { ...schedule, name: 'Later', missed: 'once', userId: '{member id}' }),
  post('/schedules', { ...schedule, name: 'Never', configurationId: '{team}' }),
  post('/schedules', { ...schedule, name: '', cron: '99 * * * *', timeZone: 'Mars', prompt: ' ' }),
  post('/schedules', { ...schedule, name: 'Twice named', configuration: 'fast' }),
  post('/schedules', byName, { save: { named: 'schedule.id' } }),
  post('/schedules', { ...byName, name: 'Nowhere', configuration: 'fats' }),
  patch('/schedules/{named}', { configuration: 'fast', missed: 'once' }),
  del('/schedules/{named}'),
  post('/schedules', {}),
  get('/schedules?sort=name'),
  get('/schedules?search=off&state=off'),
  get('/schedules?sort=colour&state=maybe'),
  get('/schedules/{schedule}'),
  patch('/schedules/{schedule}', {}),
  patch('/schedules/{schedule}', { cron: '30 6 * * 1-5', timeZone: 'UTC', reason: 'earlier' }),
  patch('/schedules/{schedule}', { enabled: false, reason: 'pause' }),
  patch('/schedules/{schedule}', { name: 'Off' }),
  patch('/schedules/{schedule}', { cron: '0 7 1 * 1', missed: 'twice', enabled: 'no' }),
  post('/schedules/{schedule}/run', {}),
  ...edges('/schedules', { GET: null, POST: { ...schedule, name: 'Other' } }),
  ...edges(
    '/schedules/{schedule}',
    { GET: null, PATCH: { missed: 'once' }, DELETE: null },
    { unknown: nobody('schedules') },
  ),
  ...consents({ ...schedule, name: 'For a member', userId: '{member id}' }),
  del(`/schedules/{schedule}?reason=${'x'.repeat(501)}`),
  del('/schedules/{schedule}?reason=ended'),
  del('/schedules/{schedule}'),
]

const channel = { name: 'Watch', kind: 'slack', address: 'https://192.0.2.1/hooks/hidden' }
const mail = { name: 'Mail', kind: 'smtp', host: '127.0.0.1', sender: 'toolgate@example.com' }
const channels: Step[] = [
  get('/channels'),
  post(
    '/channels',
    { ...channel, address: 'https://93.184.216.34/hooks/hidden', reason: 'new' },
    {
      save: { channel: 'channel.id' },
    },
  ),
  post('/channels', channel),
  post('/channels', { ...mail, recipients: 'ada@example.com' }),
  post(
    '/channels',
    { ...mail, recipients: 'ada@example.com,kim@example.com', privateAddressAllowed: true },
    { save: { mail: 'channel.id' } },
  ),
  post('/channels', { name: '', kind: 'pigeon', address: 'ftp://nowhere', recipients: 'Ada' }),
  post('/channels', {}),
  get('/channels?sort=-kind&kind=smtp'),
  get('/channels?sort=colour&kind=pigeon'),
  get('/channels/{channel}'),
  patch('/channels/{channel}', {}),
  patch('/channels/{channel}', { budgetAlerts: true, reason: 'alerts' }),
  patch('/channels/{channel}', { enabled: false, reason: 'pause' }),
  patch('/channels/{channel}', { kind: 'smtp', secret: 'has-sixteen-characters' }),
  patch('/channels/{mail}', { port: 1 }),
  patch('/channels/{mail}', { port: 0, groups: ['nobody'] }),
  post('/channels/{mail}/test', {}),
  ...edges('/channels', { GET: null, POST: channel }),
  ...edges(
    '/channels/{channel}',
    { GET: null, PATCH: { budgetAlerts: true }, DELETE: null },
    { unknown: nobody('channels') },
  ),
  del('/channels/{channel}?reason=ended'),
  del('/channels/{mail}'),
]

const settings: Step[] = [
  get('/settings'),
  get('/settings?any=1', { as: 'session' }),
  patch('/settings', { approvalLifetimeMs: 7_200_000, reason: 'shorter' }),
  patch('/settings', { approvalLifetimeMs: 7_200_000 }),
  patch('/settings', { sessionIdleMs: 3_600_000 }),
  patch('/settings', { secondFactorFor: 'everyone', sessionIdleMs: 28_800_000 }),
  patch('/settings', { secondFactorFor: 'none' }),
  patch('/settings', {}),
  patch('/settings', { approvalLifetimeMs: 1, sessionIdleMs: 'long', secondFactorFor: 'some' }),
  patch('/settings', { approvalLifetimeMs: 86_400_000 }, { as: 'session' }),
  patch('/settings', { sessionIdleMs: 3_600_000 }, { as: 'session' }),
  patch('/settings', { approvalLifetimeMs: 7_200_000 }, { as: 'session without origin' }),
  patch('/settings', { approvalLifetimeMs: 86_400_000 }, { as: 'session proved an hour ago' }),
  patch('/settings', { secondFactorFor: 'admins' }, { as: 'session proved an hour ago' }),
  ...edges('/settings', { GET: null, PATCH: { approvalLifetimeMs: 7_200_000 } }),
]

/** After runs: before, nothing is used. */
const usage: Step[] = [
  get('/usage'),
  get('/usage?period=24h&by=user'),
  get('/usage?period=7d&by=tool'),
  get('/usage?period=24h&by=apiKey'),
  get('/usage?by=configuration&configuration={fast}'),
  get('/usage?by=connection&connection={models}&model={test}&user={member id}'),
  get('/usage?user={other id}'),
  get('/usage?period=1d&by=colour'),
  get('/usage?user=nobody'),
  get('/usage?measure=cost'),
  ...edges('/usage', { GET: null }),
  get('/budgets?sort=title'),
  get('/connections/Models'),
  get('/models/{test}'),
]

const freeze: Step[] = [
  get('/freeze'),
  put('/freeze', {}),
  put('/freeze', { reason: ' ' }),
  ...edges('/freeze', { GET: null, PUT: { reason: 'never' }, DELETE: null }).filter(
    ({ ask, as }) => !(ask.startsWith('GET ') && as === 'member'),
  ),
  put('/freeze', { reason: 'An incident' }),
  put('/freeze', { reason: 'Another one' }),
  get('/freeze', { as: 'member' }),
  post('/runs', { configuration: 'fast', prompt: 'Hello' }, { as: 'member' }),
  get('/explain?configuration=fast', { as: 'member', only: ['get_env'] }),
  del(`/freeze?reason=${'x'.repeat(501)}`),
  del('/freeze?reason=over'),
  del('/freeze'),
  get('/freeze'),
]

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const unknown: Step[] = [
  ...methods.map((method): Step => ({ ask: `${method} /nothing`, as: 'nobody' })),
  ...['', '/Runs', '/constructor', '/runs/x/events/y', '/skills/x/accept/y'].map((path) =>
    get(path),
  ),
  post('/connections/Main/keys/a/b', {}),
]

const group = { name: 'Writers', description: 'They write.' }

const groups: Step[] = [
  get('/groups'),
  post('/groups', { ...group, reason: 'as agreed' }, { save: { group: 'group.id' } }),
  post('/groups', group),
  post('/groups', { name: '', description: 'x'.repeat(1_001) }),
  post('/groups', {}),
  get('/groups?search=write&sort=-name'),
  get('/groups?pageSize=1&page=2'),
  get('/groups?sort=colour&page=0&pageSize=1000'),
  get('/groups/{group}'),
  get('/groups/Team'),
  patch('/groups/{group}', {}),
  patch('/groups/{group}', { name: 'Authors', reason: 'a better word' }),
  patch('/groups/Authors', { name: 'Team' }),
  patch('/groups/Authors', { name: '' }),
  ...edges('/groups', { GET: null, POST: { name: 'never' } }),
  ...edges(
    '/groups/{group}',
    { GET: null, PATCH: { description: 'never' }, DELETE: null },
    { unknown: nobody('groups') },
  ),
  post('/approval-rules', { name: 'Authors', personGroup: 'Authors' }),
  del('/groups/{group}'),
  del('/approval-rules/Authors', { as: 'session' }),
  del('/groups/{group}?reason=ended'),
  del('/groups/{group}'),
]

export const rulesScript = rules
export const budgetsScript = budgets
export const groupsScript = groups

export const channelsScript = channels
export const schedulesScript = schedules
export const settingsScript = settings
export const usageScript = usage
export const freezeScript = [...freeze, ...unknown]
