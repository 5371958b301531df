import { del, edges, get, nobody, patch, post, type Step } from './steps'

const ours = { name: 'Ours', kind: 'searxng', address: 'http://127.0.0.1:9' }
const brave = { name: 'Brave', kind: 'brave', key: 'hidden-key' }
/** The requests about search endpoints. */
export const searchEndpointsScript: Step[] = [
  get('/search-endpoints'),
  post(
    '/search-endpoints',
    { ...ours, privateAddressAllowed: true, reason: 'as agreed' },
    { save: { ours: 'searchEndpoint.id' } },
  ),
  post('/search-endpoints', { ...brave, enabled: false }, { save: { brave: 'searchEndpoint.id' } }),
  post('/search-endpoints', { ...ours, privateAddressAllowed: true }),
  post('/search-endpoints', { name: 'Near', kind: 'searxng', address: 'http://127.0.0.1:9' }),
  post('/search-endpoints', { name: 'None', kind: 'searxng' }),
  post('/search-endpoints', { name: 'Keyless', kind: 'tavily' }),
  post('/search-endpoints', {
    name: '',
    kind: 'pigeon',
    key: 'a b',
    address: 'https://search.example?key=1',
  }),
  post('/search-endpoints', {}),
  get('/search-endpoints?sort=-kind&kind=brave&state=off'),
  get('/search-endpoints?sort=colour&kind=pigeon'),
  get('/search-endpoints/{ours}'),
  get('/search-endpoints/Ours'),
  patch('/search-endpoints/{ours}', {}),
  patch('/search-endpoints/{ours}', { enabled: false, reason: 'pause' }),
  patch('/search-endpoints/{ours}', { address: null, kind: 'brave' }),
  patch('/search-endpoints/{brave}', { address: 'https://93.184.216.34/search' }),
  patch('/search-endpoints/{brave}', { key: 'another-key' }),
  post('/search-endpoints/{ours}/test', {}),
  ...edges('/search-endpoints', { GET: null, POST: brave }),
  ...edges(
    '/search-endpoints/{ours}',
    { GET: null, PATCH: { name: 'Other' }, DELETE: null },
    { unknown: nobody('search-endpoints') },
  ),
  ...edges(
    '/search-endpoints/{ours}/test',
    { POST: {} },
    { unknown: nobody('search-endpoints').map((path) => `${path}/test`) },
  ),
  del('/search-endpoints/{ours}?reason=ended'),
  del('/search-endpoints/{brave}'),
]
