import { del, edges, get, nobody, patch, post, put, type Step } from './steps'

const hidden = 'Authorization: Bearer hidden-from-everyone\nX-Team: hidden-too'
const tracker = { name: 'tracker', kind: 'http', url: 'https://93.184.216.34/mcp' }
const local = { name: 'local', kind: 'http', url: 'http://{mcp server}/mcp' }
const program = { name: 'files', kind: 'stdio', command: 'nothing-is-called-this /srv/docs' }
const allowed = { privateAddressAllowed: true }

const addresses: Step[] = [
  get('/servers'),
  post(
    '/servers',
    { ...tracker, headers: hidden, reason: 'as agreed' },
    { save: { tracker: 'server.id' } },
  ),
  post('/servers', tracker),
  post('/servers', { ...tracker, name: 'metadata', url: 'http://169.254.169.254/mcp' }),
  post('/servers', { ...tracker, name: 'no-web', url: 'ftp://93.184.216.34/mcp' }),
  post('/servers', { ...tracker, name: 'no-host', headers: 'Host: example.com' }),
  post('/servers', { ...tracker, name: 'no-colon', headers: 'hidden-from-everyone' }),
  post('/servers', local),
  post('/servers', { ...local, ...allowed, headers: hidden }, { save: { local: 'server.id' } }),
  post('/servers', {
    name: 'old',
    kind: 'sse',
    url: 'http://127.0.0.1:3/sse',
    callSeconds: 5,
    ...allowed,
    enabled: false,
  }),
  post('/servers', { name: 'No Name', kind: 'pigeon', callSeconds: 601, enabled: 'no' }),
  post('/servers', { name: 'nowhere', kind: 'http', command: 'ls' }),
  post('/servers', {}),
]

/** A key may not say which program runs on this machine; a person may. */
const programs: Step[] = [
  post('/servers', program),
  post('/servers', program, { as: 'session proved an hour ago' }),
  post(
    '/servers',
    { ...program, variables: 'API_KEY=hidden-from-everyone' },
    { as: 'session', save: { files: 'server.id' } },
  ),
  post('/servers', { ...program, name: 'quote', command: 'ls "a' }, { as: 'session' }),
  patch('/servers/{files}', { command: 'ls' }),
  patch('/servers/{files}', { variables: 'API_KEY=another' }),
  patch('/servers/{files}', { command: 'ls' }, { as: 'session' }),
  patch('/servers/{files}', { callSeconds: 10 }),
]

const lists: Step[] = [
  get('/servers?sort=-kind&kind=http'),
  get('/servers?search=93.184&state=on'),
  get('/servers?sort=colour&kind=pigeon&state=maybe'),
  get('/servers/{tracker}'),
  get('/servers/{files}'),
  patch('/servers/{tracker}', {}),
  patch('/servers/{tracker}', { callSeconds: 30, reason: 'slow' }),
  patch('/servers/{tracker}', { url: 'https://93.184.216.34/other' }),
  patch('/servers/{tracker}', { url: 'https://93.184.216.35/mcp' }),
  patch('/servers/{tracker}', { url: 'https://93.184.216.35/mcp', headers: 'X-Team: hidden' }),
  patch('/servers/{tracker}', { url: 'http://{mcp server}/mcp' }),
  patch('/servers/{tracker}', { headers: null }),
  patch('/servers/{tracker}', { name: 'other', kind: 'stdio', command: 'ls' }),
  patch('/servers/{tracker}', { enabled: false, reason: 'pause' }),
  patch('/servers/{tracker}', { enabled: true }),
]

const echo = { name: 'local__echo', hash: '{echo hash}', effect: 'read', dataClass: 'content' }
const removal = { ...echo, name: 'local__delete_file', hash: '{removal hash}', effect: 'write' }
const forAll = { requiresAdmin: false, enabled: true }
const tools: Step[] = [
  get('/servers/{local}/tools'),
  post('/servers/old/check', {}),
  post('/servers/{local}/check', {}),
  get('/servers/{local}'),
  get('/servers/{local}/tools', {
    save: { 'removal hash': 'tools.0.hash', 'echo hash': 'tools.1.hash' },
  }),
  post('/servers/{local}/accept', { tools: [{ ...echo, ...forAll }], reason: 'read' }),
  post('/servers/{local}/accept', {
    tools: [{ ...removal, requiresAdmin: true, description: 'Deletes one file.' }],
  }),
  post('/servers/{local}/accept', {
    tools: [
      {
        ...removal,
        requiresAdmin: true,
        look: { tool: 'echo', arguments: { text: '$.text' }, becomes: null },
      },
    ],
  }),
  post('/servers/{local}/accept', {
    tools: [
      { ...removal, requiresAdmin: true, look: { tool: 'gone', arguments: {}, becomes: null } },
    ],
  }),
  post('/servers/{local}/accept', {
    tools: [
      { ...removal, requiresAdmin: true, look: { tool: 'echo', arguments: { text: 'text' } } },
    ],
  }),
  post('/servers/{local}/accept', { tools: [{ ...echo, ...forAll, alias: 'say_it' }] }),
  post('/servers/{local}/accept', { tools: [{ ...echo, ...forAll, alias: 'local__delete_file' }] }),
  post('/servers/{local}/accept', { tools: [{ ...echo, ...forAll, alias: 'Say it' }] }),
  get('/servers/{local}/tools'),
  post('/servers/{local}/accept', { tools: [{ ...echo, ...forAll, enabled: false }] }),
  post('/servers/{local}/accept', { tools: [{ ...echo, ...forAll, hash: '{removal hash}' }] }),
  post('/servers/{local}/accept', { tools: [{ ...echo, ...forAll, name: 'other__echo' }] }),
  post('/servers/{local}/accept', { tools: [{ ...echo, effect: 'none', dataClass: 'any' }] }),
  post('/servers/{local}/accept', { tools: [] }),
  post('/servers/{local}/accept', {}),
  get('/servers/{local}/concerns'),
  get('/servers/local/tools'),
  get('/servers/{local}'),
]

const accounts: Step[] = [
  post('/servers', {
    name: 'notes',
    kind: 'http',
    url: 'https://93.184.216.34/mcp',
    account: 'person',
    clientId: 'toolgate',
    clientSecret: 'hidden secret',
  }),
  get('/servers/notes/accounts'),
  get('/accounts', { as: 'member' }),
  put('/accounts/notes', { accessToken: 'hidden', scope: 'notes:read' }, { as: 'member' }),
  put('/accounts/notes', { accessToken: 'with a space' }),
  put('/accounts/tracker', { accessToken: 'hidden' }),
  get('/accounts', { as: 'member' }),
  get('/servers/notes/accounts'),
  del('/accounts/notes?of=everybody', { as: 'member' }),
  del('/accounts/notes', { as: 'member' }),
  del('/accounts/notes?of=everybody'),
  ...edges('/accounts', { GET: null }, { members: true }),
  ...edges(
    '/accounts/notes',
    { PUT: { accessToken: 'hidden' }, DELETE: null },
    { members: true, unknown: nobody('accounts') },
  ),
  ...edges(
    '/servers/notes/accounts',
    { GET: null },
    { unknown: nobody('servers').map((each) => `${each}/accounts`) },
  ),
  del('/servers/notes'),
]

const ends: Step[] = [
  ...edges('/servers', { GET: null, POST: { ...tracker, name: 'never' } }),
  ...edges(
    '/servers/{tracker}',
    { GET: null, PATCH: { callSeconds: 1 }, DELETE: null },
    { unknown: nobody('servers') },
  ),
  ...edges(
    '/servers/{tracker}/check',
    { POST: {} },
    { unknown: nobody('servers').map((each) => `${each}/check`) },
  ).filter(({ text }) => text !== ''),
  ...edges(
    '/servers/{tracker}/tools',
    { GET: null },
    { unknown: nobody('servers').map((each) => `${each}/tools`) },
  ),
  ...edges(
    '/servers/{tracker}/concerns',
    { GET: null },
    { unknown: nobody('servers').map((each) => `${each}/concerns`) },
  ),
  ...edges(
    '/servers/{tracker}/accept',
    { POST: { tools: [{ ...echo, ...forAll }] } },
    { unknown: nobody('servers').map((each) => `${each}/accept`) },
  ),
  del(`/servers/{tracker}?reason=${'x'.repeat(501)}`),
  del('/servers/{tracker}?reason=ended'),
  del('/servers/{tracker}'),
  del('/servers/{files}'),
  del('/servers/{local}'),
  del('/servers/old'),
  get('/servers'),
]

export const serversScript = [...addresses, ...programs, ...lists, ...tools, ...accounts, ...ends]
