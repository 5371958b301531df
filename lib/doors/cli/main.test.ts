import { afterEach, expect, it, vi } from 'vitest'
import { version } from '@/package.json'
import { main } from './main'

afterEach(() => {
  vi.restoreAllMocks()
})

/** Runs a command line. None of these opens an installation. */
async function say(...args: string[]) {
  const written = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    vi.spyOn(process[name], 'write').mockImplementation((text, ...more) => {
      written[name] += text
      for (const done of more) if (typeof done === 'function') done()
      return true
    })
  }
  return { code: await main(args), ...written }
}

it.each([
  [['lisst']],
  [['tools', 'lisst']],
  [['tools', 'list', '--wrong']],
  [['tools', 'list', 'extra']],
  [['run', '--configuration', 'demo']],
  [['run', 'cost-cap', 'id', 'perhaps']],
  [['run', '--configuration', 'demo', '--prompt', 'hi', '--max-rounds', '999']],
  [['connection', 'add', '--name', 'x', '--api-type', 'pigeon', '--trust-zone', 'local']],
  [['connection', 'add', '--name', 'x', '--wire', 'pigeon', '--trust-zone', 'local']],
  [['connection', 'add', '--name', 'x', '--trust-zone', 'local']],
])('answers what makes no sense with one sentence and exit code 2: %j', async (args) => {
  const { code, stdout, stderr } = await say(...args)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(/^toolgate: [^\n]+ See --help\.\n$/)
})

it.each([
  [['key', 'set', '--connection', 'Here', 'sk-secret-0123']],
  [['key', 'set', '--connection', 'Here', '--key=sk-secret-0123']],
  [['key', 'sk-secret-0123']],
])('never repeats a key that was typed: %j', async (args) => {
  const { code, stdout, stderr } = await say(...args)
  expect(code).toBe(2)
  expect(stdout + stderr).not.toContain('secret')
})

it('helps', async () => {
  const { code, stdout, stderr } = await say('run', '--help')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain('Exit codes:')
})

it('tells its version', async () => {
  expect(await say('--version')).toMatchObject({ code: 0, stdout: `${version}\n` })
})
