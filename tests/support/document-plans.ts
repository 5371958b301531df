import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect } from 'vitest'
import { DecideApproval } from '@/lib/domains/approvals/schemas'
import { groupVerbs } from '@/lib/domains/groups/verbs'
import { parseEnv } from '@/lib/kernel/env'
import { apiKeyOf } from './api-client'
import { answerRequest } from './api-routes'
import { addMini, addSkill, expectApplied, fileOf, type Stage } from './document-stage'
import { fencedBlocks } from './fenced-blocks'
import { db } from './fixture-db'
import { addJudge, verdict } from './judge-site'
import { scriptedProgram, textTool } from './mcp/script'
import { addPerson } from './people'
import { skillText } from './skills'
import { toolgate } from './toolgate-process'
import { tryAlert } from './try-alert'
import { coordinationWith, expectPrinted, serveHealth } from './try-coordination'
import { tryExtraTool, tryToolError } from './try-extra-tools'

/** Tries an example in a way of its own. */
type Trial = (text: string, stage: Stage) => Promise<void>

/**
 * Trials of the examples of one document. `given` prepares what its text assumes, `words` replaces placeholders. A
 * block that is no list of commands has its first line in `blocks`, with a trial or with the reason why it cannot be
 * tried.
 */
export type DocumentPlan = {
  given?: (stage: Stage) => Promise<void>
  words?: (stage: Stage) => Record<string, string>
  /** Runs before the block that begins with this line. */
  before?: Record<string, (stage: Stage) => Promise<void>>
  blocks?: Record<string, Trial | string>
}

async function answerTo(stage: Stage, requested: string): Promise<Response> {
  const key = await apiKeyOf(stage.admin, 'runs:read', 'tools:read')
  const headers = { authorization: `Bearer ${key}` }
  return answerRequest(new Request(`http://localhost:3000/api/v1${requested}`, { headers }))
}

/** Expects that the variables of a block are known, and their values accepted. */
async function expectVariables(text: string): Promise<void> {
  const lines = text
    .trim()
    .split('\n')
    .map((line) => /^(\w+)="?([^"]*)"?$/.exec(line) ?? [])
  const shown = Object.fromEntries(lines.map(([, name = '', value = '']) => [name, value]))
  const parsed: Record<string, unknown> = parseEnv({ ...process.env, ...shown })
  for (const name of Object.keys(shown)) expect(parsed).toHaveProperty(name)
}

export const documentPlans: Record<string, DocumentPlan> = {
  'README.md': {
    words: ({ folder, modelUrl }) => ({
      'key.txt': path.join(folder, 'key.txt'),
      'connect openai': `connect other --base-url ${modelUrl}/v1 --allow-private --key-stdin`,
    }),
    given: ({ folder }) => writeFile(path.join(folder, 'key.txt'), 'sk-test-0123456789abcdef\n'),
    blocks: {
      'npm run quickstart    # installs, builds, starts everything and prints a one-time link to create the first admin':
        'installs and builds this checkout; the end-to-end tests start what was built',
    },
  },
  'docs/backup.md': {
    words: ({ folder }) => ({ '/var/backups/toolgate': folder }),
    blocks: {
      'TOOLGATE_DATA_DIR=/srv/restored bin/toolgate restore /var/backups/toolgate/monday':
        'needs an installation that was never started; tests/integration/backup.test.ts restores into one',
    },
  },
  'docs/api.md': {
    before: {
      'curl -H "Authorization: Bearer $KEY" -H \'Content-Type: application/json\' $URL/api/v1/budgets \\':
        async ({ admin, variables }) => {
          variables.set('URL', 'http://localhost:3000')
          variables.set('KEY', await apiKeyOf(admin, 'budgets:write'))
          const { id } = await groupVerbs.create(admin, { name: 'Support' })
          variables.set('…', id)
        },
    },
    blocks: {
      '{ "argumentsHash": "9f86d0…", "decision": { "type": "approve", "message": "" } }': async (
        text,
      ) => {
        const body = text.replace('9f86d0…', 'a'.repeat(64))
        DecideApproval.omit({ approvalId: true }).strict().parse(JSON.parse(body))
      },
      '[{': async (text, stage) => {
        const kim = await addPerson('member', 'kim@example.org')
        const response = await answerTo(stage, `/explain?user=${kim.actor.email}`)
        const answer: { name: string; gates?: unknown[] }[] = await response.json()
        for (const shown of JSON.parse(text) as { name: string; gates?: unknown[] }[]) {
          const real = answer.find(({ name }) => name === shown.name)
          expect({ ...real, gates: real?.gates?.slice(0, shown.gates?.length) }).toEqual(shown)
        }
      },
      '{': async (text, stage) => {
        const problem = JSON.parse(text)
        const response = await answerTo(stage, problem.instance.replace('/api/v1', ''))
        expect(await response.json()).toEqual(problem)
      },
    },
  },
  'docs/connections.md': {
    given: async ({ modelUrl }) => {
      const words = ['connect', 'other', '--base-url', `${modelUrl}/v1`, '--allow-private']
      const input = 'sk-test-0123456789abcdef\n'
      const connected = await toolgate([...words, '--identifier', 'fast', '--key-stdin'], { input })
      expect(connected).toMatchObject({ code: 0, stderr: '' })
    },
  },
  'docs/budgets.md': {
    blocks: {
      '{ "type": "budget-alert", "id": "…", "budgetId": "…", "windowStart": "2026-11-01T00:00:00.000Z", "percent": 80,':
        tryAlert,
    },
  },
  'docs/extra-tools.md': {
    blocks: {
      '// /srv/toolgate-tools/stock-level.mjs': tryExtraTool,
      '// /srv/toolgate-tools/camera.mjs': tryExtraTool,
      "throw Object.assign(new Error('There is no such article.'), { name: 'ToolError', code: 'not-found' })":
        tryToolError,
    },
  },
  'docs/mcp-servers.md': {
    words: ({ folder }) => ({
      'mcp.json': path.join(folder, 'mcp.json'),
      'headers.txt': path.join(folder, 'headers.txt'),
    }),
    given: async (stage) => {
      const script = path.join(stage.folder, 'script.json')
      const [command, ...args] = scriptedProgram(script)
      const properties = { path: { type: 'string' }, content: { type: 'string' } }
      const writing = textTool('write_file', { inputSchema: { type: 'object', properties } })
      const tools = [textTool('read_text_file'), writing]
      await fileOf(stage, 'script.json', JSON.stringify({ tools }))
      await fileOf(stage, 'mcp.json', JSON.stringify({ mcpServers: { files: { command, args } } }))
      await fileOf(stage, 'headers.txt', 'Authorization: Bearer 0123456789\n')
    },
  },
  'docs/outages.md': {
    blocks: {
      'npm run chaos                              # all of it, up to 14 minutes on two idle cores':
        'takes minutes; the files of tests that it runs are named in scripts/chaos.mjs',
    },
  },
  'docs/panels.md': {
    given: serveHealth,
    blocks: {
      'bin/toolgate host add http://localhost:3000 --private-address-allowed yes':
        coordinationWith('accept'),
      'Panel …': expectPrinted,
      'bin/toolgate coordinate --proposer demo --critic demo --synthesizer demo --tools fetch_url,verify \\':
        coordinationWith('revise'),
    },
  },
  'docs/checks.md': {
    given: async ({ admin, modelUrl: url }) => {
      const script = verdict(true, 'It names the administrator.')
      await addJudge({ admin, server: { url } }, script, { identifier: 'fast' })
    },
    words: ({ folder }) => ({ 'checks.xml': path.join(folder, 'checks.xml') }),
  },
  'docs/policy-cases.md': {
    blocks: {
      'toolgate: 2': async (text, stage) =>
        expectApplied('apply', '-f', await fileOf(stage, 'cases.yaml', text)),
    },
  },
  'docs/replay.md': {
    blocks: {
      'toolgate: 2': async (text, stage) => void (await fileOf(stage, 'change.yaml', text)),
      'bin/toolgate policy try --file change.yaml --days 30': async (_text, { folder }) => {
        const file = path.join(folder, 'change.yaml')
        const tried = await toolgate(['policy', 'try', '--file', file, '--days', '30'])
        expect(tried.code).toBe(3)
        expect(tried.stdout).toMatch(
          /^1 of \d+ runs? of the last 30 days would have gone otherwise/,
        )
      },
    },
  },
  'docs/reverse-proxy.md': {
    blocks: {
      'upstream toolgate {': 'lines for nginx, which is not installed with Toolgate',
      'TOOLGATE_URL=https://toolgate.example.org': expectVariables,
    },
  },
  'docs/sign-in.md': {
    blocks: { 'TOOLGATE_URL=https://tools.example.org': expectVariables },
  },
  'docs/site-file.md': {
    words: ({ folder }) => ({ 'toolgate.yaml': path.join(folder, 'toolgate.yaml') }),
    blocks: {
      'toolgate: 2': async (text, stage) => {
        await groupVerbs.create(stage.admin, { name: 'Support' })
        await addSkill(stage, 'be-kind')
        // One of its rules requires a second person.
        await addPerson('admin')
        await expectApplied('apply', '-f', await fileOf(stage, 'site.yaml', text))
        expect(await db().configuration.count({ where: { identifier: 'support' } })).toBe(1)
      },
    },
  },
  'docs/skills.md': {
    before: {
      'bin/toolgate skill list': async (stage) => {
        const older = await fileOf(stage, 'older.md', skillText('read-logs', '', 'Older.\n'))
        await expectApplied('skill', 'add', older)
      },
    },
    words: ({ folder }) => ({ 'read-logs/SKILL.md': path.join(folder, 'read-logs/SKILL.md') }),
    given: async (stage) => {
      const { admin, folder, skillsFolder } = stage
      await addMini(admin)
      for (const [place, name] of [
        [folder, 'read-logs'],
        [skillsFolder, 'release-notes'],
      ] as const) {
        await mkdir(path.join(place, name), { recursive: true })
        await writeFile(path.join(place, name, 'SKILL.md'), skillText(name))
      }
      await expectApplied('skill', 'reload')
      await writeFile(
        path.join(skillsFolder, 'release-notes/SKILL.md'),
        skillText('release-notes', '', 'Anew.\n'),
      )
    },
    blocks: {
      '---': async (text, stage) => {
        const file = await fileOf(stage, 'shown-skill.md', text)
        await expectApplied('skill', 'add', file)
        await expectApplied('skill', 'remove', 'read-logs')
      },
    },
  },
  'docs/tasks.md': {
    words: ({ folder }) => ({
      'notes.yaml': path.join(folder, 'notes.yaml'),
      'shorter.yaml': path.join(folder, 'shorter.yaml'),
    }),
    given: async (stage) => {
      await addMini(stage.admin)
      await addSkill(stage, 'house-style')
      await addPerson('member', 'max@example.org')
      const shown = fencedBlocks(readFileSync('docs/tasks.md', 'utf8'))
      const file = shown.find(({ language }) => language === 'yaml')?.text ?? ''
      // The model of the tests answers in words, which no schema of objects takes.
      const notes = file.replace(/^outputSchema:.*\n(?: .*\n)+/m, '')
      expect(notes).not.toBe(file)
      await fileOf(stage, 'notes.yaml', notes)
      await fileOf(stage, 'shorter.yaml', notes.replace('Write notes', 'Write short notes'))
    },
    blocks: {
      'identifier: release-notes': async (text, stage) => {
        const file = await fileOf(stage, 'notes.yaml', text)
        await expectApplied('task', 'add', file)
      },
      'panel:': async (text, stage) => {
        const names = 'identifier: roles\nname: Roles\nprompt: Write the plan.\n'
        await expectApplied('task', 'add', await fileOf(stage, 'roles.yaml', names + text))
      },
    },
  },
  'docs/web.md': {
    blocks: {
      'use_default_settings: true': 'settings of SearXNG, which is not installed with Toolgate',
    },
  },
  'docs/vault.md': {
    blocks: {
      'bin/toolgate vault rotate --reason "yearly"': async (text) => {
        const dataFolder = String(process.env.TOOLGATE_DATA_DIR)
        await writeFile(
          path.join(dataFolder, 'vault-key'),
          String(process.env.TOOLGATE_VAULT_KEY),
          { mode: 0o600 },
        )
        expect(text.trim()).toBe('bin/toolgate vault rotate --reason "yearly"')
        // This command takes its key from the data folder.
        const env = { TOOLGATE_VAULT_KEY: '', TOOLGATE_VAULT_KEY_FILE: '' }
        const finished = await toolgate(['vault', 'rotate', '--reason', 'yearly'], { env })
        expect(finished).toMatchObject({ code: 0, stderr: '' })
      },
    },
  },
}
