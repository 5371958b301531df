import { addGroupMember, groupVerbs } from '@/lib/domains/groups/verbs'
import type { Ctx } from '@/lib/kernel/context'
import { openTable } from '@/lib/toolset/data-sources/tables'
import { dataSourceVerbs } from '@/lib/toolset/data-sources/verbs'
import { loadToolset } from '@/lib/toolset/tools/load-toolset'
import { db } from './fixture-db'
import { addPerson } from './people'
import { createShop } from './shop-database'

type Opening = Partial<Parameters<typeof openTable>[1]>

export const orderColumns = ['id', 'customer', 'status', 'total', 'paid', 'note']

/** Creates a shop with records, an admin, a member of a group that may use it, and a stranger, who may not. */
export async function openShopSite(suffix: string) {
  const admin = await addPerson('admin')
  const member = await addPerson('member', 'Ada@example.org')
  const stranger = await addPerson('member')
  const { id: groupId } = await groupVerbs.create(admin, { name: 'Support' })
  await addGroupMember(admin, { groupId, userId: member.actor.userId })
  const shop = await createShop(suffix)
  await shop.ask(
    `INSERT INTO orders (id, customer, owner, status, total, paid, note, picture, deleted_at) VALUES
      (1, 'ada@example.org', $1, 'open', 10.50, true, '100% blue_shoes', '\\x00ff', NULL),
      (2, 'bob@example.org', NULL, 'open', NULL, false, '100x bluexshoes', NULL, NULL),
      (3, 'ADA@EXAMPLE.ORG', $1, 'done', -3, NULL, 'password=hunter2hunter2', NULL, NULL),
      (4, 'ada@example.org', $1, 'open', 1, true, 'deleted', NULL, now())`,
    [member.actor.userId],
  )
  await shop.ask(
    `INSERT INTO lines SELECT o, l, 'Product ' || o || l FROM generate_series(1, 3) o, generate_series(1, 2) l`,
  )
  await shop.ask(`INSERT INTO gone VALUES (1, 'here', false), (2, 'not here', true)`)
  await shop.ask(`INSERT INTO "odd ""name" VALUES ('value', 7)`)
  /** Opens a table of the shop, usually that of the orders. */
  const more = (opening: Opening = {}) =>
    openTable(admin, {
      id: 'shop',
      schema: 'public',
      name: 'orders',
      columns: orderColumns,
      ...opening,
    })
  /** Adds the shop as a data source with one open table, and returns its id. */
  const open = async (opening: Opening = {}): Promise<string> => {
    const { id } = await dataSourceVerbs.create(admin, {
      name: 'shop',
      kind: 'postgresql',
      address: shop.address,
      privateAddressAllowed: true,
      groupIds: [groupId],
    })
    await more(opening)
    return id
  }
  const read = async (who: Ctx, args: object) => {
    const { content } = await callData(who, 'read_records', { table: 'orders', ...args })
    return Object(content)
  }
  const idsOf = async (who: Ctx, args: object = {}): Promise<string[]> =>
    (await read(who, args)).rows.map(({ id }: { id: string }) => id)
  return { admin, member, stranger, groupId, shop, open, more, read, idsOf }
}

/** Calls a tool as a run of this person does. */
export async function callData(
  { actor }: Ctx,
  name: string,
  args: object,
  signal = new AbortController().signal,
) {
  const tool = (await loadToolset(db())).get(name)
  const parsed = tool?.parse(args)
  if (!tool || !parsed) throw new Error('There is no such tool.')
  if (!parsed.ok) throw new Error(parsed.issues.join(' '))
  const context = { signal, actor, runId: crypto.randomUUID(), configurationId: null, callId: 'c' }
  return tool.execute(parsed.args, context)
}
