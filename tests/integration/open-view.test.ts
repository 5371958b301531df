import { beforeAll, describe, expect, it, test } from 'vitest'
import { moreFields } from '@/app/(console)/runs/(list)/more-fields'
import { listHref, openView } from '@/app/(console)/runs/(list)/open-view'
import { RunQuery, toRunFilter } from '@/app/(console)/runs/(list)/run-filter'
import { lenientQuery } from '@/lib/edge/lenient-query'
import type { Ctx } from '@/lib/kernel/context'
import { newId } from '@/lib/kernel/new-id'
import { chooseRunColumns, readRunColumns } from '@/lib/runs/lists/run-columns'
import { createRunView, listRunViews } from '@/lib/runs/lists/run-views'
import { defaultRunColumns, type ViewQuery } from '@/lib/runs/lists/view-schemas'
import { RunFilter } from '@/lib/runs/schemas'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'

let admin: Ctx
let ada: Ctx
let bo: Ctx

beforeAll(async () => {
  admin = await addPerson('admin')
  ada = await addPerson('member')
  bo = await addPerson('member')
})

const failed: ViewQuery = { failure: 'any', minCost: 0.5, sort: '-cost' }
const columns = [...defaultRunColumns]

/** Opens the list at an address, as the page does. */
function openAt(ctx: Ctx, href: string) {
  const params = Object.fromEntries(new URL(href, 'http://localhost').searchParams)
  return openView(ctx, params, toRunFilter(lenientQuery(RunQuery, params)))
}

describe('the list at the address of a view', () => {
  it('shows its columns, and says when filter, order or columns differ', async () => {
    const ctx = await addPerson('member')
    await chooseRunColumns(ctx, { columns: ['prompt', 'tags'] })
    const query: ViewQuery = { ...failed, reason: 'loop', configuration: newId() }
    const { id } = await createRunView(ctx, { name: 'Loops', query, columns: ['cost'] })
    const href = listHref(query, { view: id })
    expect(href).toContain('state=loop')
    const opened = await openAt(ctx, href)
    expect(opened).toMatchObject({ view: { id }, isChanged: false, query })
    expect((await openAt(ctx, opened.view?.href ?? '')).isChanged).toBe(false)
    expect(opened.columns).toEqual(['prompt', 'cost'])
    for (const more of ['&columns=prompt,id', '&tag=x', '&failure=', '&state=ended']) {
      expect((await openAt(ctx, `${href}${more}`)).isChanged).toBe(true)
    }
    expect((await openAt(ctx, href.replace('sort=-cost', 'sort=cost'))).isChanged).toBe(true)
    expect((await openAt(ctx, `${href}&columns=prompt,cost&page=2`)).isChanged).toBe(false)
    expect((await openAt(bo, href)).isGone).toBe(true)
    const without = await openAt(ctx, '/runs?columns=id')
    expect(without).toMatchObject({ view: null, isGone: false, columns: ['prompt', 'tags'] })
  })

  it('says that what a view names is gone', async () => {
    const gone = newId()
    const filter = RunFilter.parse({ configuration: gone, task: gone, model: gone, tag: 'unused' })
    const fields = await moreFields(admin, filter, [], [])
    const said = fields.flatMap((field) =>
      field.type === 'choice'
        ? field.options
            .filter(({ value }) => value === gone || value === 'unused')
            .map(({ label }) => `${field.label}: ${label}`)
        : [],
    )
    expect(said).toEqual([
      'Configuration: no longer available',
      'Task: no longer available',
      'Tag: unused',
      'Model: deleted one',
    ])
  })

  it('opens a view of another version with what it can read', async () => {
    const ctx = await addPerson('member')
    const { id } = await createRunView(ctx, { name: 'Old', query: failed, columns })
    const query = { ...failed, colour: 'red', source: 'pigeon', sort: 'age' }
    await db().runView.update({ where: { id }, data: { query, columns: ['cost', 'colour'] } })
    expect((await listRunViews(ctx, {})).views).toMatchObject([
      { query: { failure: 'any', minCost: 0.5, sort: '-started' }, columns: ['prompt', 'cost'] },
    ])
  })
})

test('each person has columns of their own, until they take the default ones', async () => {
  expect(await readRunColumns(ada)).toEqual(columns)
  await chooseRunColumns(ada, { columns: ['id', 'tags', 'id'] })
  expect(await readRunColumns(ada)).toEqual(['prompt', 'tags', 'id'])
  expect(await readRunColumns(bo)).toEqual(columns)
  await chooseRunColumns(ada, { columns: null })
  expect(await readRunColumns(ada)).toEqual(columns)
})
