import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RunEvent } from '@/lib/protocol/run/run-event'
import { seed } from '@/prisma/seed'
import { db } from '@/tests/support/fixture-db'
import { turnOfPrompt } from '@/tests/support/model-server/prompt-directives'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { addRunSite, type RunSite } from '@/tests/support/run-site'
import { finish, startToolgate, toolgate } from '@/tests/support/toolgate-process'

let server: ModelServer
let site: RunSite

beforeAll(async () => {
  server = await startModelServer({ script: turnOfPrompt })
  site = await addRunSite(server.url)
  await seed({ source: {}, ollamaUrl: 'http://127.0.0.1:1' })
})
afterAll(() => server.close())

const run = (prompt: string, ...more: string[]) => [
  'run',
  '--configuration',
  site.configuration,
  '--prompt',
  prompt,
  ...more,
]

function eventsIn(stdout: string): RunEvent[] {
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

describe('toolgate run', () => {
  test('works the demo offline and writes nothing but its events', async () => {
    const args = ['run', '--configuration', 'demo', '--prompt', 'Who may sign in here?', '--json']
    const { code, stdout, stderr } = await toolgate(args)
    const events = eventsIn(stdout)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(events[0]?.type).toBe('run-start')
    expect(events.filter((event) => event.type === 'run-end')).toEqual([events.at(-1)])
    expect(events.map((event) => event.type)).toContain('call-end')
    const journal = events.filter((event) => event.seq !== undefined)
    expect(journal.map(({ seq }) => seq)).toEqual(journal.map((_, index) => index + 1))
    const stored = await db().run.findUniqueOrThrow({ where: { id: events[0]?.runId ?? '' } })
    expect(stored).toMatchObject({ status: 'ended', endReason: 'completed', source: 'cli' })
    expect(await db().instance.count()).toBe(0)
  })

  test('with --dry-run prints the first request and its cost, and starts and sends nothing', async () => {
    const [runs, requests] = [await db().run.count(), server.requests.length]
    const args = run('[[say: Never.]]', '--tools', 'list_users,get_env_raw', '--dry-run')
    const printed = await toolgate(args)
    expect(printed).toMatchObject({ code: 0, stderr: '' })
    expect(printed.stdout).toMatch(/^Model: test-model at /m)
    expect(printed.stdout).toMatch(
      /^First request: at most \$0\.\d+ \(.* tokens in, .* tokens out\)$/m,
    )
    expect(printed.stdout).toContain('Offered: 1 tool: list_users\n')
    expect(printed.stdout).toMatch(/^get_env_raw +enabled +Off until an admin/m)
    const { stdout } = await toolgate([...args, '--json'])
    const { refusal, request } = JSON.parse(stdout)
    expect(refusal).toBeNull()
    expect(JSON.parse(request.json)).toMatchObject({ model: 'test-model' })
    const missing = await toolgate(['run', '--configuration', 'nope', '--prompt', 'x', '--dry-run'])
    expect(missing).toMatchObject({ code: 1, stderr: '' })
    expect(missing.stdout).toMatch(/^Refused: The configuration does not exist/)
    expect(await db().run.count()).toBe(runs)
    expect(server.requests).toHaveLength(requests)
    expect(await db().instance.count()).toBe(0)
  })

  test('is shown again by its id', async () => {
    const said = await toolgate(run('[[call get_runtime_info {}]] [[then]] [[say: All is well.]]'))
    expect(said.code).toBe(0)
    const { id } = await db().run.findFirstOrThrow({ orderBy: { createdAt: 'desc' } })
    expect(said.stdout).toContain('All is well.')
    expect(await toolgate(['run', 'show', id])).toEqual(said)
  })

  test('sends files, and says which one cannot be opened', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'files-'))
    const path = join(folder, 'notes.txt')
    await writeFile(path, 'Blue is the colour.')
    server.requests.splice(0)
    const more = ['--file', path, '--data-class', 'source-code', '--json']
    const { code, stdout } = await toolgate(run('What is it?', ...more))
    expect(code).toBe(0)
    expect(eventsIn(stdout)[0]).toMatchObject({
      data: { files: [{ name: 'notes.txt', type: 'text/plain', dataClass: 'source-code' }] },
    })
    expect(JSON.stringify(server.requests.splice(0)[0]?.body)).toContain('Blue is the colour.')
    const missing = await toolgate(run('What is it?', '--file', join(folder, 'gone.txt')))
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('cannot be opened') })
    await rm(folder, { recursive: true })
  })

  test('shows people the calls and the answer, and no text that steers their terminal', async () => {
    const hostile = 'red \u001b[31m end \u202e done'
    const prompt = `[[call list_groups {}]] [[then]] [[say: ${hostile}]]`
    const { code, stdout } = await toolgate(run('-'), { input: prompt })
    expect(code).toBe(0)
    expect(stdout).toContain('✓ list_groups')
    expect(stdout).toMatch(/red .*end \[U\+202E\] done/)
    expect(stdout).not.toContain('\u001b')
    expect(stdout).not.toContain('\u202e')
  })

  test('offers the tools that were picked, or none, and tells the reason with its exit code', async () => {
    const capped = toolgate(
      run(
        '[[always]] [[call list_users {}]]',
        '--tools',
        'list_users,nope',
        '--max-rounds',
        '1',
        '--json',
      ),
    )
    const refused = toolgate(run('[[status 401]]', '--no-tools', '--json'))
    expect(await capped).toMatchObject({ code: 10, stderr: '' })
    const picked = eventsIn((await capped).stdout)
    expect(picked[0]).toMatchObject({
      data: {
        accepted: [{ name: 'list_users' }],
        rejected: [{ name: 'nope', gate: 'registered' }],
      },
    })
    expect(picked.at(-1)).toMatchObject({ data: { reason: 'max-rounds', truncated: true } })
    expect((await refused).code).toBe(17)
    const none = eventsIn((await refused).stdout)
    expect(none[0]).toMatchObject({ data: { accepted: [] } })
    expect(none.at(-1)).toMatchObject({
      data: { reason: 'provider-error', failure: { category: 'auth', status: 401 } },
    })
  })

  test('exits with 0 for the final answer of a run whose hop budget is used up, and not for its silence', async () => {
    const prompted = await addRunSite(server.url)
    const where = { identifier: prompted.configuration }
    const parameters = { promptedHops: 1 }
    await db().configuration.update({ where, data: { toolMode: 'prompted', parameters } })
    const ask = '<tool_call>{"name":"list_groups","args":{}}</tool_call>'
    const work = (last: string, ...more: string[]) => {
      const prompt = `[[say: ${ask}]] [[then]] [[say: ${ask}]] [[then]] [[say: ${last}]]`
      return toolgate([
        'run',
        '--configuration',
        prompted.configuration,
        '--prompt',
        prompt,
        ...more,
      ])
    }
    const answered = await work('That is all.', '--json')
    expect(eventsIn(answered.stdout).at(-1)).toMatchObject({ data: { reason: 'max-rounds' } })
    expect(answered.code).toBe(0)
    expect((await work(ask, '--json')).code).toBe(10)
  })

  test('exits with 0 for a panel whose members used up their hop budget and answered, and lists their calls', async () => {
    const other = await addRunSite(server.url)
    const call = '[[call list_groups {}]]'
    const prompt = `${call} [[then]] ${call} [[then]] [[say: That is all.]]`
    const members = [site, other].flatMap((each) => ['--configuration', each.configuration])
    const limits = ['--tools', 'list_groups', '--hops', '1']
    const { code, stdout } = await toolgate(['confer', ...members, ...limits, '--prompt', prompt])
    expect(stdout).toContain('1. list_groups: ok')
    expect(stdout).toContain('2. list_groups: denied (hop-budget)')
    expect(stdout).toContain('max-rounds')
    expect(code).toBe(0)
  })

  test('takes a cost cap, says when it was reached, and takes off where there is none', async () => {
    const capped = await toolgate(run('[[say: Done.]]', '--cost-cap', '0.000001'))
    expect(capped).toMatchObject({ code: 0 })
    expect(capped.stdout).toContain('The cap of $0.000001 was reached.')
    const { id } = await db().run.findFirstOrThrow({ orderBy: { createdAt: 'desc' } })
    const shown = await toolgate(['run', 'show', id, '--json'])
    expect(JSON.parse(shown.stdout)).toMatchObject({
      costCap: { mode: 'warn', limitMicroUsd: 1, exceeded: true, blocked: false },
    })
    expect((await toolgate(run('[[say: Done.]]', '--cost-cap', 'off'))).code).toBe(0)
  })

  test('stops the run on Ctrl-C and waits for its end', async () => {
    const child = startToolgate(run(`[[say slowly 100ms: ${'word '.repeat(300)}]]`, '--json'))
    child.stdin.end()
    const finished = finish(child)
    await new Promise<void>((resolve) => {
      child.stdout.on('data', (text: string) => {
        if (text.includes('text-delta')) resolve()
      })
    })
    child.kill('SIGINT')
    const { code, stdout, stderr } = await finished
    expect(code).toBe(130)
    expect(eventsIn(stdout).at(-1)).toMatchObject({
      type: 'run-end',
      data: { reason: 'cancelled' },
    })
    expect(stderr).toBe('Stopping the run. Press Ctrl-C again to leave at once.\n')
  })

  test('stops the run when nobody reads its output any more', async () => {
    const child = startToolgate(run(`[[say slowly 100ms: ${'word '.repeat(300)}]]`))
    child.stdin.end()
    await new Promise((resolve) => child.stdout.once('data', resolve))
    child.stdout.destroy()
    const code = await new Promise((resolve) => child.once('close', resolve))
    expect(code).toBe(130)
    const last = await db().run.findFirstOrThrow({ orderBy: { createdAt: 'desc' } })
    expect(last).toMatchObject({ status: 'ended', endReason: 'cancelled' })
  })

  test('says in one sentence what is wrong', async () => {
    const [unknown, stranger, empty] = await Promise.all([
      toolgate(['run', '--configuration', 'nope', '--prompt', 'hi']),
      toolgate(run('hi', '--as', 'nobody@example.org')),
      toolgate(run(' ')),
    ])
    expect(unknown).toEqual({
      code: 1,
      stdout: '',
      stderr: 'toolgate: The configuration does not exist, or you may not see it.\n',
    })
    expect(stranger.code).toBe(1)
    expect(empty).toMatchObject({ code: 2, stderr: 'toolgate: Enter a prompt first.\n' })
  })
})
