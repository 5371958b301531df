import { byPerson, del, edges, get, nobody, patch, post, type Step } from './steps'

const workspace = { name: 'handbook', folder: '{files}', writable: true, groups: ['Team'] }
const writeOf = '/file-writes/{write}'
export const workspacesScript: Step[] = byPerson([
  get('/workspaces'),
  post('/workspaces', workspace, { as: 'admin' }),
  post('/workspaces', workspace, { as: 'session proved an hour ago' }),
  post('/workspaces', { ...workspace, reason: 'new' }, { save: { workspace: 'workspace.id' } }),
  post('/workspaces', workspace),
  post('/workspaces', { ...workspace, name: 'Hand book', folder: 'srv', note: '' }),
  post('/workspaces', { name: 'nowhere', folder: '/no/such/folder' }),
  post('/workspaces', { name: 'system', folder: '/etc' }),
  post('/workspaces', {}),
  get('/workspaces?sort=-folder&state=on'),
  get('/workspaces?sort=colour'),
  get('/workspaces/handbook'),
  patch('/workspaces/{workspace}', {}),
  patch('/workspaces/{workspace}', { writable: true }, { as: 'admin' }),
  patch('/workspaces/{workspace}', { note: 'For support', reason: 'said' }, { as: 'admin' }),
  patch('/workspaces/{workspace}', { enabled: false, reason: 'pause' }),
  patch('/workspaces/{workspace}', { folder: '/', groups: ['nobody'], writable: 'yes' }),
  get('/workspaces/{workspace}', { before: 'a tool writes a file' }),
  get(writeOf),
  ...edges(writeOf, { GET: null }, { unknown: nobody('file-writes') }),
  post(`${writeOf}/undo`, { reason: 'wrong file' }),
  post(`${writeOf}/undo`, {}),
  get(writeOf),
  ...edges('/workspaces', { GET: null, POST: workspace }),
  ...edges(
    '/workspaces/{workspace}',
    { GET: null, PATCH: { writable: true }, DELETE: null },
    { unknown: nobody('workspaces') },
  ),
  del('/workspaces/{workspace}?reason=ended'),
  del('/workspaces/{workspace}'),
])
