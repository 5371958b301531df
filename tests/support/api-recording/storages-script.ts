import { del, edges, get, nobody, patch, post, type Step } from './steps'

const pixel = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01', 'latin1')
const bytes = { 'content-type': 'application/octet-stream' }
const place = 'storage=Media&path=press/logo.png'

const send = (query: string, more: Partial<Step> = {}): Step => ({
  ask: `POST /asset-files?${query}`,
  bytes: pixel.toString('base64'),
  headers: bytes,
  ...more,
})

const media = { name: 'Media', groups: ['Team'], note: 'For press' }
const asset = '/storages/{storage}/assets/{asset}'
const gone = '/storages/{storage}/assets/01a20071-0000-7000-8000-000000000000'

/** The requests about storages and their assets. */
export const storagesScript: Step[] = [
  get('/storages'),
  post('/storages', { ...media, reason: 'new' }, { save: { storage: 'storage.id' } }),
  post('/storages', media),
  post('/storages', { name: '', largestFile: 51, wholeSize: 0, note: '' }),
  post('/storages', {}),
  get('/storages?sort=-bytes&state=on'),
  get('/storages?sort=colour'),
  get('/storages/Media'),
  patch('/storages/{storage}', { largestFile: 1, reason: 'small' }),
  patch('/storages/{storage}', { groups: ['nobody'] }),
  send(place, { save: { asset: 'asset.uid' } }),
  send(place),
  send(`${place}&replace=true&title=Our+logo`),
  send('storage=Media&path=../x'),
  send('storage=Media'),
  send('storage=nothing&path=x'),
  send('storage=Media&path=empty', { bytes: '' }),
  ...edges('/asset-files', { POST: null }),
  get('/storages/{storage}/assets'),
  get('/storages/Media/assets?search=logo&kind=image&described=no&sort=-bytes&page=1&pageSize=10'),
  get('/storages/Media/assets?sort=colour&kind=song&page=0'),
  get(asset),
  patch(asset, { title: 'Logo', alternativeText: 'A red\ncircle', reason: 'clearer' }),
  patch(asset, { path: 'a/../../b', alternativeText: 'x'.repeat(1_001) }),
  patch(asset, { path: 'press/mark.png', updatedAt: '2026-01-01T00:00:00.000Z' }),
  get(`${asset}/content`),
  ...edges('/storages/{storage}/assets', { GET: null }),
  ...edges(asset, { GET: null, PATCH: { title: 'x' }, DELETE: null }, { unknown: [gone] }),
  ...edges(`${asset}/content`, { GET: null }, { unknown: [`${gone}/content`] }),
  del(`${asset}?reason=old`),
  get(asset),
  del(asset),
  get('/storages/{storage}/assets?deleted=yes'),
  post(`${asset}/restore`, { reason: 'needed' }),
  post(`${asset}/restore`, {}),
  ...edges(`${asset}/restore`, { POST: {} }, { unknown: [`${gone}/restore`] }),
  ...edges('/storages', { GET: null, POST: media }),
  ...edges(
    '/storages/{storage}',
    { GET: null, PATCH: { note: 'x' }, DELETE: null },
    { unknown: nobody('storages') },
  ),
  del('/storages/{storage}?reason=ended'),
  del('/storages/{storage}'),
]
