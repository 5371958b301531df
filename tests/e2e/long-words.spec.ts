import path from 'node:path'
import type { APIRequestContext, Page } from '@playwright/test'
import pg from 'pg'
import { type StandaloneServer, startStandaloneServer } from '../support/standalone-server'
import { expectNoSidewaysScroll } from './support/expect-no-sideways-scroll'
import { calls, expectEnd } from './support/playground'
import { readSite } from './support/site'
import { expect, test } from './support/test'

// Every name is one long word here: a server of its own, on its own copy of the database.
let server: StandaloneServer

test.beforeAll(async () => {
  const { env, wide, port } = readSite()
  server = await startStandaloneServer(port + 6, {
    ...env,
    DATABASE_URL: wide.databaseUrl,
    TOOLGATE_EXTRA_TOOLS_DIR: path.resolve('tests/support/wide-tools'),
  })
})

test.afterAll(() => server.stop('SIGKILL'))

// Wider than any window; what is longer is only slower to lay out.
const word = 'W'.repeat(1_000)

test('no page scrolls sideways because of one long word, on a screen or on a phone', async ({
  visit,
}) => {
  test.slow()
  const page = await visit('admin', { baseURL: server.baseUrl })
  const runId = await startRun(page.request)
  const ids = await fill(page.request)

  await page.goto(`/runs/${runId}`)
  await expectEnd(page, 'Completed')
  for (const call of await calls(page).all()) await call.getByRole('button').first().click()
  await page.getByRole('button', { name: 'Artifacts (2)' }).click()
  await expectNarrow(page, 'the run with everything open')

  for (const [list, id] of Object.entries(ids)) await open(page, `/${list}/${id}`)
  for (const address of [
    `/configurations/${ids.configurations}/edit`,
    '/playground?task=wide',
    ...['/runs', '/configurations', '/models', '/tools', '/tools/explain', '/budgets', '/audit'],
  ]) {
    await open(page, address)
  }
})

async function open(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expectNarrow(page, address)
}

async function expectNarrow(page: Page, what: string): Promise<void> {
  for (const [width, height] of [
    [390, 844],
    [1440, 900],
  ] as const) {
    await page.setViewportSize({ width, height })
    await expectNoSidewaysScroll(page, `${what}, ${width} wide`)
  }
}

async function startRun(client: APIRequestContext): Promise<string> {
  const answer = [word, `# ${word}`, `- \`${word}\``, `| ${word} | b |`, '|---|---|', `> ${word}`]
  const prompt = [
    word,
    `[[call wide_result {}]] [[call ${word.slice(0, 60)} {"${word}":"${word}"}]]`,
    `[[reason: ${word}]] [[then]] [[say: ${answer.join('\n\n')}]]`,
  ].join(' ')
  return (await post(client, '/runs', { configuration: 'local-openai-compatible', prompt })).runId
}

/** Makes what has pages of its own, with names and texts of one word. Returns an id for each list. */
async function fill(client: APIRequestContext): Promise<Record<string, string>> {
  const database = new pg.Client(readSite().wide.databaseUrl)
  await database.connect()
  const widen = async (table: string, columns: Record<string, number>) => {
    const texts = Object.entries(columns).map(
      ([column, length]) => `"${column}" = left('${word}', ${length}) || right(id::text, 9)`,
    )
    const rows = await database.query(`UPDATE ${table} SET ${texts.join(', ')} RETURNING id`)
    return String(rows.rows[0].id)
  }
  const configuration = 'local-openai'
  const { id: tasks } = await post(client, '/tasks', {
    ...{ identifier: 'wide', name: word.slice(0, 100), description: word.slice(0, 1000) },
    ...{ configuration, prompt: `${word} {{value}}` },
    variables: [{ name: 'value', label: word.slice(0, 100), type: 'text', required: true }],
  })
  const name = 'w'.repeat(60)
  const text = `---\nname: ${name}\ndescription: ${word.slice(0, 1000)}\n---\n${word}`
  await post(client, '/skills', { text })
  const { skill } = await (await client.get(`/api/v1/skills/${name}`)).json()
  const ids = {
    tasks,
    skills: skill.id,
    configurations: await widen('configurations', {
      name: 90,
      description: 990,
      systemPrompt: 9990,
    }),
    connections: await widen('connections', { name: 90 }),
    groups: await widen('groups', { name: 90, description: 990 }),
    models: await widen('models', { displayName: 90, modelId: 190 }),
    users: await widen('users', { name: 90 }),
  }
  await database.end()
  const budget = { scope: 'group', scopeId: ids.groups, window: 'day', unit: 'requests', amount: 9 }
  await post(client, '/budgets', budget)
  return ids
}

async function post(client: APIRequestContext, address: string, data: object) {
  const headers = { origin: server.baseUrl }
  const answer = await client.post(`/api/v1${address}`, { data, headers })
  expect(answer.ok(), await answer.text()).toBe(true)
  return answer.json()
}
