import { del, edges, get, nobody, patch, post, type Step } from './steps'

const docs = { name: 'docs', address: 'http://127.0.0.1:9/docs/', privateAddressAllowed: true }
/** The requests about sites. */
export const sitesScript: Step[] = [
  get('/sites'),
  post('/sites', { ...docs, groups: ['Team'], reason: 'as agreed' }, { save: { docs: 'site.id' } }),
  post('/sites', docs),
  post('/sites', { name: 'near', address: 'http://127.0.0.1:9/' }),
  post('/sites', { name: 'open', address: 'http://93.184.216.34/' }),
  post('/sites', { ...docs, name: 'other', sitemap: 'https://example.org/sitemap.xml' }),
  post('/sites', { name: 'Docs of us', address: 'example.org', sitemap: 'map', note: '' }),
  post('/sites', {}),
  get('/sites?sort=-address&state=on'),
  get('/sites?sort=colour'),
  get('/sites/{docs}'),
  get('/sites/docs'),
  patch('/sites/{docs}', {}),
  patch('/sites/{docs}', { note: 'For support', reason: 'said' }),
  patch('/sites/{docs}', { enabled: false, reason: 'pause' }),
  patch('/sites/{docs}', { address: 'https://ada@example.org/', groups: ['nobody'], crawl: 'yes' }),
  post('/sites/{docs}/check', {}),
  ...edges('/sites', { GET: null, POST: docs }),
  ...edges(
    '/sites/{docs}',
    { GET: null, PATCH: { crawl: false }, DELETE: null },
    { unknown: nobody('sites') },
  ),
  ...edges(
    '/sites/{docs}/check',
    { POST: {} },
    { unknown: nobody('sites').map((path) => `${path}/check`) },
  ),
  del('/sites/{docs}?reason=ended'),
  del('/sites/{docs}'),
]
