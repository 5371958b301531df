import { del, edges, get, nobody, patch, post, type Step } from './steps'

const far = {
  ...{ name: 'shop', kind: 'postgresql' },
  address: 'postgresql://reader:hidden-word@127.0.0.1:9/shop?sslmode=disable',
}
const users = { schema: 'public', name: 'groups', columns: ['id', 'name'] }
/** The requests about data sources and their tables. */
export const dataSourcesScript: Step[] = [
  get('/data-sources'),
  post(
    '/data-sources',
    { ...far, privateAddressAllowed: true, reason: 'as agreed' },
    { save: { shop: 'dataSource.id' } },
  ),
  post('/data-sources', { name: 'console', kind: 'console' }, { save: { own: 'dataSource.id' } }),
  post('/data-sources', { name: 'another', kind: 'console' }),
  post('/data-sources', far),
  post('/data-sources', { ...far, name: 'near' }),
  post('/data-sources', { name: 'none', kind: 'postgresql' }),
  post('/data-sources', { name: 'None such', kind: 'pigeon', address: 'https://db.example' }),
  post('/data-sources', {}),
  get('/data-sources?sort=-kind&kind=console&state=on'),
  get('/data-sources?sort=colour&kind=pigeon'),
  get('/data-sources/{shop}'),
  get('/data-sources/shop'),
  get('/data-sources/{shop}/tables'),
  patch('/data-sources/{shop}', {}),
  patch('/data-sources/{shop}', { enabled: false, reason: 'pause' }),
  patch('/data-sources/{shop}', { kind: 'console' }),
  post('/data-sources/{shop}/tables', users),
  post('/data-sources/{own}/tables', users, { save: { table: 'id' } }),
  post('/data-sources/{own}/tables', { ...users, columns: ['id', 'limits'] }),
  post('/data-sources/{own}/tables', { ...users, name: 'vault_secrets' }),
  post('/data-sources/{own}/tables', { ...users, ownerColumn: 'id' }),
  post('/data-sources/{own}/tables', { ...users, updateColumns: ['name'] }),
  post('/data-sources/{own}/tables', {}),
  get('/data-sources/console'),
  ...edges('/data-sources', { GET: null, POST: far }),
  ...edges(
    '/data-sources/{shop}',
    { GET: null, PATCH: { name: 'other' }, DELETE: null },
    { unknown: nobody('data-sources') },
  ),
  ...edges(
    '/data-sources/{shop}/tables',
    { GET: null, POST: users },
    { unknown: nobody('data-sources').map((path) => `${path}/tables`) },
  ),
  del('/data-sources/{own}/tables/{table}?reason=ended'),
  del('/data-sources/{own}/tables/{table}'),
  del('/data-sources/{shop}?reason=ended'),
  del('/data-sources/{own}'),
]
