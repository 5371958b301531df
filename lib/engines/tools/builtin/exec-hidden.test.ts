import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sandboxProblem } from '@/lib/engines/programs/command-sandbox'
import { execIn } from '@/tests/support/exec-in'
import { giveToOwner, workspaceFolder } from '@/tests/support/workspace-folder'

const problem = await sandboxProblem()

let folder: string
let root: string
beforeEach(() => {
  folder = workspaceFolder('hidden')
  root = path.join(folder, 'workspace')
  mkdirSync(path.join(root, 'conf'), { recursive: true })
  writeFileSync(path.join(root, 'conf/.env'), 'PASSPHRASE')
  giveToOwner(root)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

type OnProgress = (text: string) => void

/** Runs a script. `tell` gets its output as it comes. */
async function run(script: string, tell?: OnProgress) {
  return JSON.stringify(
    await execIn({ root, argv: ['/bin/sh', '-c', script], ...(tell && { tell }) }),
  )
}

/** Moves files on the server once the program has said that it runs, and lets it go on. */
const whileItRuns = (move: () => void): OnProgress => {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    move()
    writeFileSync(path.join(root, 'go'), '')
  }
}
const waits = 'echo on; until [ -e go ]; do sleep 0.05; done; '

describe.skipIf(problem !== null)('a program in the sandbox', () => {
  it('cannot move the folder of a secret, so that it is hidden from the next program, too', async () => {
    // Below `.git`, names are those of branches.
    const moved = await run(
      'mkdir -p x/.git; mv conf x/.git; mv conf other; cat conf/.env; echo end',
    )
    expect(moved).toMatch(/busy.*end|end.*busy/s)
    expect(await run('cat conf/.env x/.git/conf/.env other/.env; echo end')).toContain('end')
    expect(existsSync(path.join(root, 'conf/.env'))).toBe(true)
    expect(`${moved}${await run('cat */.env x/.git/*/.env')}`).not.toMatch(
      /PASSPHRASE|all that it wrote/,
    )
  })

  it('does not run where the name of a secret, or of a folder, is no text, and leaves nothing', async () => {
    const named = (before: string, after = '') =>
      Buffer.concat([Buffer.from(`${root}/${before}`), Buffer.from([0xff]), Buffer.from(after)])
    const key = named('key', '.key')
    writeFileSync(key, 'PASSPHRASE', { mode: 0o644 })
    giveToOwner(root)
    for (const _ of ['first', 'again'])
      await expect(run('cat key*')).rejects.toThrow('cannot read "key\uFFFD.key"')
    expect(readdirSync(root)).toHaveLength(2)
    rmSync(key)
    // A folder whose name is that text is not looked through in its place.
    mkdirSync(path.join(root, 'a\uFFFD'))
    renameSync(path.join(root, 'conf'), named('a'))
    giveToOwner(root)
    await expect(run('cat a*/.env')).rejects.toThrow('cannot read "a\uFFFD"')
  })

  it('shows nothing of its output when a secret came into the workspace, or took the place of another, while it ran', async () => {
    for (const name of ['.env', 'conf/.env', 'server.key']) {
      const own = path.join(folder, 'other')
      writeFileSync(own, 'PASSPHRASE of another')
      chmodSync(own, 0o644)
      giveToOwner(own)
      rmSync(path.join(root, 'go'), { force: true })
      const tell = whileItRuns(() => renameSync(own, path.join(root, name)))
      const answer = await run(`${waits} cat .env conf/.env server.key; echo end`, tell)
      expect(answer, name).toContain('all that it wrote to its output')
      expect(answer, name).not.toMatch(/PASSPHRASE|end\\n/)
    }
  })

  it('shows nothing of its output when the workspace was moved while it ran', async () => {
    const tell = () => existsSync(root) && renameSync(root, path.join(folder, 'elsewhere'))
    const request = run('echo on', tell)
    await expect(request).rejects.toThrow('moved or closed meanwhile')
  })

  it('leaves no file with set-id bits, also one that was there before', async () => {
    const file = path.join(root, 'before')
    writeFileSync(file, '')
    giveToOwner(file)
    chmodSync(file, 0o4755)
    await run('true')
    expect(lstatSync(file).mode & 0o7777).toBe(0o755)
  })
})
