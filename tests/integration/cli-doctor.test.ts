import { chmod, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createConnection } from '@/lib/domains/connections/verbs'
import { createModel } from '@/lib/domains/models/verbs'
import { checkVaultKey } from '@/lib/domains/vault/check-vault-key'
import type { Finding } from '@/lib/doors/cli/doctor/finding'
import { db } from '@/lib/kernel/db'
import { addPerson } from '@/tests/support/people'
import { toolgate } from '@/tests/support/toolgate-process'

/** Lists one model to whoever has the right key, and says that Toolgate is ready. */
const server = createServer((request, response) => {
  if (request.url === '/api/ready') {
    response.end(JSON.stringify({ status: 'ready', checks: { database: 'ok', engine: 'ok' } }))
  } else if (request.headers.authorization === 'Bearer sk-right-0123456789') {
    response.end(JSON.stringify({ data: [{ id: 'm-1' }] }))
  } else {
    response.writeHead(401).end('{"error":"sk-wrong-0123456789 is unknown"}')
  }
})
let address: string

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

async function doctor(env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await toolgate(['doctor', '--json'], {
    env: { TOOLGATE_URL: address, ...env },
  })
  const { ok, findings }: { ok: boolean; findings: Finding[] } = JSON.parse(stdout)
  const status = Object.fromEntries(findings.map((finding) => [finding.check, finding.status]))
  return { code, stdout, stderr, ok, findings, status }
}

describe('toolgate doctor', () => {
  test('says what a new installation lacks', async () => {
    const { code, status } = await doctor()
    expect(code).toBe(1)
    expect(status).toMatchObject({
      Node: 'ok',
      'Data folder': 'ok',
      Database: 'ok',
      Migrations: 'ok',
      Vault: 'warn',
      Accounts: 'fail',
      Address: 'ok',
      Providers: 'warn',
    })
  })

  test('asks each provider, and shows nothing of what a provider says', async () => {
    await checkVaultKey(db())
    const admin = await addPerson('admin')
    const facts = {
      wire: 'openai-compatible',
      baseUrl: address,
      trustZone: 'local',
      privateAddressAllowed: true,
    } as const
    const good = await createConnection(admin, {
      ...facts,
      name: 'Good',
      apiKey: 'sk-right-0123456789',
    })
    const prices = {
      input: null,
      output: null,
      cachedInput: null,
      cacheWrite: null,
      reasoning: null,
    }
    const model = { connectionId: good.id, displayName: 'M', prices }
    await createModel(admin, { ...model, modelId: 'm-1' })
    expect(await doctor()).toMatchObject({
      code: 0,
      ok: true,
      stderr: '',
      status: { Vault: 'ok', Accounts: 'ok', 'Provider Good': 'ok' },
    })

    await createModel(admin, { ...model, modelId: 'm-2' })
    await createConnection(admin, { ...facts, name: 'Bad', apiKey: 'sk-wrong-0123456789' })
    await createConnection(admin, { ...facts, name: 'Gone', baseUrl: 'http://127.0.0.1:1' })
    const { code, stdout, status } = await doctor()
    expect(code).toBe(1)
    expect(status).toMatchObject({
      'Provider Good': 'warn',
      'Provider Bad': 'fail',
      'Provider Gone': 'fail',
    })
    expect(stdout).not.toContain('sk-')
  })

  test('notices another vault key, secrets others can read, and a database that is not there', async () => {
    const otherKey = Buffer.alloc(32, 7).toString('base64')
    expect((await doctor({ TOOLGATE_VAULT_KEY: otherKey })).status).toMatchObject({ Vault: 'fail' })

    const file = path.join(process.env.TOOLGATE_DATA_DIR ?? '', 'session-secret')
    await writeFile(file, 'x')
    await chmod(file, 0o644)
    expect((await doctor()).status).toMatchObject({ 'Data folder': 'fail' })

    const nowhere = await doctor({ DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' })
    expect(nowhere.code).toBe(1)
    expect(nowhere.findings.at(-1)).toMatchObject({ check: 'Installation', status: 'fail' })
  })
})

test('toolgate upgrade --check says what the next start migrates, and refuses a database of a newer version in words', async () => {
  const json = await toolgate(['upgrade', '--check', '--json'])
  expect(JSON.parse(json.stdout)).toEqual({
    pending: [],
    tables: [],
    diskBytes: 0,
    lastBackup: null,
  })
  const [last] = await db().$queryRaw<{ name: string; checksum: string }[]>`
    DELETE FROM applied_migrations WHERE name = (SELECT max(name) FROM applied_migrations) RETURNING name, checksum`
  const { code, stdout } = await toolgate(['upgrade', '--check'])
  expect([code, stdout]).toEqual([0, expect.stringContaining('1 migration will be applied')])
  expect(stdout).toContain(last?.name)
  await db()
    .$executeRaw`INSERT INTO applied_migrations VALUES (${last?.name}, ${last?.checksum}), ('20991231235959_later', '')`
  const newer = await toolgate(['upgrade', '--check'])
  await db().$executeRaw`DELETE FROM applied_migrations WHERE name LIKE '2099%'`
  expect([newer.code, newer.stdout]).toEqual([1, ''])
  expect(newer.stderr).toContain('it is from a newer version of Toolgate')
  expect((await toolgate(['upgrade'])).code).toBe(2)
})
