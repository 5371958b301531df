import { del, edges, get, nobody, patch, post, type Step } from './steps'

const host = { name: 'https://example.org', note: 'Manuals' }
/** The requests about hosts that tools may read. */
export const hostsScript: Step[] = [
  get('/hosts'),
  post('/hosts', { ...host, enabled: false, reason: 'as agreed' }, { save: { host: 'host.id' } }),
  post('/hosts', { name: 'HTTPS://Example.ORG:443/' }),
  post('/hosts', { name: 'https://*.example.org' }, { save: { below: 'host.id' } }),
  post('/hosts', { name: 'http://192.168.0.1:8080' }),
  post('/hosts', { name: 'http://169.254.169.254', privateAddressAllowed: true }),
  post('/hosts', { name: 'https://example.org/path', note: 'x'.repeat(501) }),
  post('/hosts', {}),
  get('/hosts?sort=-state&search=manual'),
  get('/hosts?sort=colour&state=maybe'),
  get('/hosts/{host}'),
  patch('/hosts/{host}', {}),
  patch('/hosts/{host}', { note: null, reason: 'clear by itself' }),
  patch('/hosts/{below}', { name: 'https://*' }),
  ...edges('/hosts', { GET: null, POST: host }),
  ...edges(
    '/hosts/{host}',
    { GET: null, PATCH: { note: 'Other' }, DELETE: null },
    { unknown: nobody('hosts') },
  ),
  del('/hosts/{host}?reason=ended'),
  del('/hosts/{below}'),
]
