import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createConnection } from '@/lib/domains/connections/verbs'
import { parseSiteFile } from '@/lib/site-file/parse-site-file'
import { planSite } from '@/lib/site-file/plan-site'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'

const folder = 'prisma/migrations'
const name = readdirSync(folder).find((each) => each.endsWith('_openai_is_responses.sql'))
const migration = readFileSync(`${folder}/${name}`, 'utf8')

const addresses: [baseUrl: string | null, becomes: string][] = [
  [null, 'openai'],
  ['https://api.openai.com/v1', 'openai'],
  ['https://API.openai.com:443/v1', 'openai'],
  ['https://gateway.example.org/v1', 'openai_compatible'],
  ['https://api.openai.com.example.org/v1', 'openai_compatible'],
  ['https://example.org/api.openai.com/v1', 'openai_compatible'],
]

test('stored connections to OpenAI become Responses, all others keep Chat Completions, and the audit has both', async () => {
  const rows = []
  for (const [index, [baseUrl, becomes]] of addresses.entries()) {
    const data = {
      name: `Old ${index}`,
      wire: 'openai',
      baseUrl,
      trustZone: 'external_global',
    } as const
    rows.push({ ...(await db().connection.create({ data })), becomes })
  }
  await db().$executeRawUnsafe(migration)
  for (const { id, becomes } of rows) {
    expect(await db().connection.findUnique({ where: { id } })).toMatchObject({ wire: becomes })
    const audits = await db().auditEntry.findMany({ where: { objectId: id } })
    const after = becomes === 'openai' ? { api: 'Responses' } : { wire: 'openai-compatible' }
    expect(audits).toMatchObject([{ action: 'connection.update', after }])
    expect(audits[0]?.id[14]).toBe('7')
  }
})

test('a site file from before means Chat Completions by openai with another address', async () => {
  const admin = await addPerson('admin')
  const gateway = { trustZone: 'external-global', baseUrl: 'https://8.8.8.8/v1' } as const
  await createConnection(admin, { ...gateway, name: 'Stored', wire: 'openai-compatible' })
  const file = (version: number) =>
    parseSiteFile(`toolgate: ${version}
connections:
  - { name: Stored, wire: openai }
  - { name: New, wire: openai, baseUrl: "https://8.8.4.4/v1", trustZone: external-global }
  - { name: Own, wire: openai, baseUrl: "https://api.openai.com/v1", trustZone: external-global }
  - { name: Usual, wire: openai, trustZone: external-global }
`)
  const { steps, notices } = await planSite(admin, file(1))
  const wires = steps.map(({ key, changes }) => [
    key,
    changes.find(({ field }) => field === 'wire')?.after,
  ])
  expect(wires).toEqual([
    ['New', 'openai-compatible'],
    ['Own', 'openai'],
    ['Usual', 'openai'],
  ])
  expect(notices).toEqual([
    expect.stringContaining('connection Stored'),
    expect.stringContaining('connection New'),
  ])
  const now = await planSite(admin, file(2))
  expect(now.notices).toEqual([])
  expect(now.steps.map(({ key }) => key)).toEqual(['Stored', 'New', 'Own', 'Usual'])
})
