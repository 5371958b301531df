import { siteVerbs } from '@/lib/domains/sites/verbs'
import { storageVerbs } from '@/lib/domains/storages/verbs'
import type { Ctx } from '@/lib/kernel/context'
import { newId } from '@/lib/kernel/new-id'
import { openTable } from '@/lib/toolset/data-sources/tables'
import { dataSourceVerbs } from '@/lib/toolset/data-sources/verbs'
import { addAsset, pngHead } from './assets'
import { db } from './fixture-db'
import { createShop } from './shop-database'
import { sends, startWebServer } from './web-server'

/** A data source, a site and a storage that are called the same, and an asset. */
type Place = { name: string; uid: string }
export type AddedPlace = Place & { sourceId: string; siteId: string; storageId: string }

const blue = 'A blue hat.'
const columns = ['id', 'customer', 'status', 'note']

const pageOf = ({ name }: Place, origin: string) => ({ url: `${origin}/${name}/` })

/** Each tool with the arguments that name a thing of a place. */
const tools: Readonly<Record<string, (place: Place, origin: string) => object>> = {
  get_schema: ({ name }) => ({ source: name }),
  read_records: ({ name }) => ({ source: name, table: 'orders' }),
  search_records: ({ name }) => ({ source: name, table: 'orders', text: 'shoes' }),
  insert_record: ({ name }) => ({ source: name, table: 'orders', values: newOrder('a hat') }),
  update_record: ({ name }) => ({
    source: name,
    table: 'orders',
    key: { id: 1 },
    set: { note: 'blue shoes' },
    was: { note: 'blue shoes' },
  }),
  get_record_history: ({ name }) => ({ source: name, table: 'orders', key: { id: 1 } }),
  run_query: ({ name }) => ({ source: name, sql: 'VALUES (1)' }),
  get_page_tree: ({ name }) => ({ site: name }),
  get_page_content: pageOf,
  probe_url: pageOf,
  browse_folder: ({ name }) => ({ storage: name }),
  search_files: ({ name }) => ({ storage: name, text: 'logo' }),
  read_asset_meta: ({ uid }) => ({ uid }),
  set_alternative_text: ({ uid }) => ({ uid, text: 'A red circle.' }),
}

/** The tools that are asked for things of places. */
export const placeTools = Object.keys(tools)

/** Creates a shop with records and a website of which places are made. */
export async function openPlaces(admin: Ctx) {
  const shop = await createShop('_resource_rights')
  await shop.ask(`INSERT INTO orders (id, customer, status, note, deleted_at) VALUES
    (1, 'ada', 'open', 'blue shoes', NULL), (2, 'bob', 'open', 'shoes that are gone', now())`)
  await shop.ask(`CREATE TABLE order_changes (id integer PRIMARY KEY, order_id text, at timestamptz, note text);
    INSERT INTO order_changes VALUES (1, '1', now(), 'blue'), (2, '2', now(), 'gone')`)
  const page = sends('<title>Start</title><p>Words.</p>', { 'content-type': 'text/html' })
  const web = await startWebServer({ '/open/': page, '/closed/': page, '/off/': page })
  const argsOf = (name: string, place: Place) => tools[name]?.(place, web.origin) ?? {}

  return {
    ask: shop.ask,
    /** Returns the arguments with which a tool names a thing of a place. */
    argsOf,
    /** Returns such arguments of a call of which one sees afterwards whether it wrote. */
    argsWithBlue: (name: string, place: Place): object => {
      const args = argsOf(name, place)
      if (name === 'set_alternative_text') return { ...args, text: blue }
      if (name === 'update_record') return { ...args, set: { note: blue } }
      return name === 'insert_record' ? { ...args, values: newOrder(blue) } : args
    },
    /** Returns how many records and assets such calls wrote. */
    blueThings: async (): Promise<number> => {
      const { rows } = await shop.ask('SELECT FROM orders WHERE note = $1', [blue])
      return rows.length + (await db().asset.count({ where: { alternativeText: blue } }))
    },
    missing: (): Place => ({ name: 'missing', uid: newId() }),
    add: async (name: string, groupIds: string[]): Promise<AddedPlace> => {
      const named = { name, groupIds }
      const { id: sourceId } = await dataSourceVerbs.create(admin, {
        ...named,
        kind: 'postgresql',
        address: shop.address,
        privateAddressAllowed: true,
      })
      const shared = { id: sourceId, schema: 'public' }
      const historyColumns = ['order_id', 'at', 'note']
      await openTable(admin, { ...shared, name: 'order_changes', columns: historyColumns })
      await openTable(admin, {
        ...shared,
        name: 'orders',
        columns,
        historyTable: 'public.order_changes',
        historyKey: 'order_id',
        historyAt: 'at',
        insertColumns: columns,
        updateColumns: ['note'],
      })
      const { id: siteId } = await siteVerbs.create(admin, {
        ...named,
        address: `${web.origin}/${name}/`,
        privateAddressAllowed: true,
      })
      const { id: storageId } = await storageVerbs.create(admin, named)
      const { uid } = await addAsset(admin, pngHead(), { storageId, path: 'logo.png' })
      return { name, uid, sourceId, siteId, storageId }
    },
    change: async (place: AddedPlace, values: { enabled?: boolean; groupIds?: string[] }) => {
      await dataSourceVerbs.update(admin, { id: place.sourceId, ...values })
      await siteVerbs.update(admin, { id: place.siteId, ...values })
      await storageVerbs.update(admin, { id: place.storageId, ...values })
    },
    remove: async ({ sourceId, siteId, storageId }: AddedPlace) => {
      await dataSourceVerbs.remove(admin, { id: sourceId })
      await siteVerbs.remove(admin, { id: siteId })
      await storageVerbs.remove(admin, { id: storageId })
    },
    close: async () => {
      await shop.close()
      await web.close()
    },
  }
}

let lastOrder = 100

function newOrder(note: string) {
  lastOrder += 1
  return { id: lastOrder, customer: 'eve', status: 'open', note }
}
