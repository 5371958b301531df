import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { defaultSettings, settingNames, settingShape } from '@/lib/domains/settings/shape'
import { updateSettings } from '@/lib/domains/settings/verbs'
import { endpoints } from '@/lib/doors/api/endpoints'
import { otherActions, refusalActions } from '@/lib/edge/record-audit'
import { systemCtx } from '@/lib/kernel/context'
import { ValidationError } from '@/lib/kernel/errors'
import { parseInput } from '@/lib/kernel/parse-input'
import { ApiScope, scopesBeyondLimits, sensitiveAmong } from '@/lib/protocol/api-scope'
import { isVerb, loadVerbs, sources, type VerbDefinition } from './support/doors/all-verbs'
import { undecidedTables } from './support/doors/undecided-tables'
import { objectsOf } from './support/schema-objects'

/** Every verb that a module exports: what actions, addresses and commands are made of. */
const verbs: VerbDefinition[] = []

beforeAll(async () => {
  verbs.push(...(await loadVerbs()).map(({ definition }) => definition))
})

/** Returns every action that the audit may have, with what it means. */
function auditedActions(): [action: string, words: string][] {
  const found: Record<string, string[]> = {}
  const add = (action: string, words: string) => {
    found[action] = [...(found[action] ?? []), words]
  }
  for (const { name, summary, audits = [name] } of verbs.filter(writes)) {
    for (const action of audits)
      add(action, action === name ? summary : `With \`${name}\`: ${summary}`)
  }
  for (const one of [otherActions, refusalActions])
    for (const [action, words] of Object.entries(one)) add(action, words)
  const sorted = Object.entries(found).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return sorted.map(([action, words]) => [action, words.join(' ')])
}

/** A verb without a transaction that names what it audits writes its audit row beside its change. */
const writes = ({ transaction, audits }: VerbDefinition) =>
  transaction !== false || audits !== undefined

test('every verb is named after its noun and what it does', () => {
  expect(verbs.length).toBeGreaterThan(100)
  const names = verbs.map(({ name }) => name)
  expect(names.filter((name) => !/^[a-z]+(-[a-z]+)*\.[a-z]+(-[a-z]+)*$/.test(name))).toEqual([])
})

test('an action of the audit is one verb: no two that write have the same name', () => {
  const names = verbs.filter(writes).map(({ name }) => name)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})

test('every verb refuses a field that it does not know, at each object of its input, and names its path', () => {
  const missed: string[] = []
  let tried = 0
  for (const { name, input } of verbs) {
    const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })
    for (const { place, withField } of objectsOf(schema)) {
      tried += 1
      const field = [...place, 'unheardOf'].join('.')
      if (!namesIn(() => parseInput(input, withField('unheardOf'))).includes(field))
        missed.push(`${name} ${field}`)
    }
  }
  expect(tried).toBeGreaterThan(300)
  expect(missed).toEqual([])
})

/** Returns the fields that are refused. */
function namesIn(work: () => unknown): string[] {
  try {
    work()
    return []
  } catch (error) {
    return error instanceof ValidationError ? Object.keys(error.fields) : []
  }
}

test('a verb that asks a person for a proof needs a sensitive scope of a key, or is closed to keys', () => {
  const asking = verbs.filter(({ needsReauthentication }) => needsReauthentication !== undefined)
  const scopes = new Set(asking.flatMap(({ scope }) => scope ?? []))
  expect(asking.length).toBeGreaterThan(40)
  expect(sensitiveAmong([...scopes]).toSorted()).toEqual([...scopes].toSorted())
  // None is marked for nothing.
  expect(sensitiveAmong(ApiScope.options).toSorted()).toEqual([...scopes].toSorted())
  expect(scopesBeyondLimits([...scopes]).toSorted()).toEqual([...scopes].toSorted())
})

test('a proof that a verb asks for by itself, beside what it says of itself, is never for keys', async () => {
  const asking = sources.filter(
    (file) =>
      file !== 'edge/verb.ts' && readFileSync(`lib/${file}`, 'utf8').includes('requireProof?.()'),
  )
  expect(asking).toEqual(['domains/users/sign-in-verbs.ts'])
  for (const file of asking) {
    const exported: object = await import(/* @vite-ignore */ resolve('lib', file))
    const scopes = Object.values(exported)
      .filter(isVerb)
      .map(({ definition }) => definition.scope)
    expect(new Set(scopes)).toEqual(new Set([null]))
  }
})

test('the acts that only persons do are said by these verbs', () => {
  const saying = verbs.filter(({ personsAct }) => personsAct !== undefined)
  expect([...new Set(saying.map(({ name }) => name))].toSorted()).toEqual([
    'approval-rule.create',
    'approval-rule.delete',
    'approval-rule.update',
    'backup.delete',
    'configuration.update-policy',
    'program.create',
    'program.delete',
    'program.update',
    'server.accept',
    'server.check',
    'server.create',
    'server.delete',
    'server.update',
    'setting.update',
    'site.back-up',
    'tool-group.switch',
    'tool.require-approval',
    'tool.reset',
    'tool.switch',
    'workspace.create',
    'workspace.delete',
    'workspace.update',
  ])
})

test('the changes that may leave calls that nobody could approve ask for a confirmation', () => {
  const saying = verbs.filter(({ mayEndApproval }) => mayEndApproval)
  expect([...new Set(saying.map(({ name }) => name))].toSorted()).toEqual([
    'approval-rule.create',
    'approval-rule.delete',
    'approval-rule.update',
    'configuration.allow-group',
    'configuration.clone',
    'configuration.restore',
    'configuration.update',
    'configuration.update-policy',
    'group.add-member',
    'group.delete',
    'group.limit',
    'group.remove-member',
    'tool.set-approval',
    'user.delete',
    'user.update',
  ])
})

test('these changes are also refused when they break policy cases', () => {
  const saying = verbs.filter(({ mayBreakCases }) => mayBreakCases)
  expect([...new Set(saying.map(({ name }) => name))].toSorted()).toEqual([
    'api-key.limit',
    'configuration.add-skill',
    'configuration.remove-skill',
    'configuration.set-skills',
    'configuration.switch-skill',
    'connection.update',
    'model.update',
    'server.accept',
    'server.update',
    'skill.accept-change',
    'skill.delete',
    'skill.import',
    'skill.restore',
    'skill.switch',
    'tool-group.set',
    'tool.reset',
    'tool.set',
  ])
})

test('a key that may only read changes nothing', () => {
  const reading = verbs.filter(({ scope }) => scope?.endsWith(':read'))
  expect(reading.length).toBeGreaterThan(20)
  expect(reading.filter(writes).map(({ name }) => name)).toEqual([])
  const changing = endpoints.filter(({ method }) => method !== 'GET')
  const readable = changing.filter(({ scope }) => scope?.endsWith(':read'))
  // A replay changes nothing either, but is too much work for a request that caches and browsers repeat.
  expect(readable.map(({ path }) => path)).toEqual(['/runs/{runId}/replay', '/policy/try'])
})

test('docs/audit.md lists every action that the audit may have', async () => {
  const rows = auditedActions().map(([action, words]) => `| \`${action}\` | ${words} |`)
  const advice = 'The verbs changed: write it again with `npx vitest run tests/verbs.test.ts -u`.'
  await expect(`${auditIntroduction}${rows.join('\n')}\n`, advice).toMatchFileSnapshot(
    '../docs/audit.md',
  )
})

const auditIntroduction = `# The audit

Every change leaves an entry in the audit, in the transaction of the change: who made it, when and from where, the values before
and after without secrets, and the reason where one was given. Refused requests are in the audit, too; identical ones within an
hour share one entry. Views of runs that only their owner sees, and the columns of a list that a person chose, leave none.
**Audit** in the console and \`bin/toolgate audit list\` filter by the action, and both export what they find.

These are all actions. A newer version may have more, and entries of an older one stay as they were written.

| Action | What happened |
| --- | --- |
`

/** The tables that say who may sign in, how, and for how long. */
const ofSignIn =
  /\.(user|session|passkey|totpApp|recoveryCode|accountLink|apiKey)\.(create|update|upsert|delete)/

test('no API key reaches what changes how people sign in', async () => {
  const reachable = new Set<string>()
  for (const file of sources) {
    const text = readFileSync(`lib/${file}`, 'utf8')
    if (!/\b(verb\(\{|(resource|versioned)Verbs\(\w+, \{)/.test(text) || !isOfSignIn(file, text))
      continue
    const exported: object = await import(/* @vite-ignore */ resolve('lib', file))
    const found = Object.values(exported).filter(isVerb)
    // A verb that is given what it needs of others is exported by lib/joined-verbs.ts.
    const made = verbs.filter(({ name }) => text.includes(`name: '${name}',`))
    for (const verb of [...found.map(({ definition }) => definition), ...made])
      if (writes(verb) && verb.scope !== null) reachable.add(verb.name)
  }
  expect([...reachable].toSorted()).toEqual(Object.keys(besideSignIn))
})

/** Verbs for API keys in a module that changes who may sign in, with what keeps the two apart. */
const besideSignIn = {
  'api-key.limit': 'it changes what runs of a key may use, not who opens which door',
  'run.cancel': 'the module also has api-key.revoke',
  'run.cost-cap': 'the module also has api-key.revoke',
  'setting.update': 'it refuses keys by the names of the settings, as the next test shows',
}

/** Returns whether a module of verbs writes such a table, or calls what does. */
function isOfSignIn(file: string, text: string): boolean {
  const calls =
    /\b(endSessions|revokeAccess|revokeApiKeys|revokeAccountLinks|removeSecondFactors|limitApiKeys)\(/
  return (
    /^(auth|domains\/users|domains\/api-keys)\//.test(file) ||
    ofSignIn.test(text) ||
    calls.test(text)
  )
}

test('a setting about signing in or backups is refused to every API key, alone and beside others', async () => {
  const about = (words: RegExp) =>
    settingNames.filter((name) => words.test(`${name} ${settingShape[name].label}`))
  const marked = (act: string) =>
    settingNames.filter((name) => Object(settingShape[name]).personsAct === act)
  const ofSigningIn = marked('sign-in')
  expect(ofSigningIn).toEqual(['sessionIdleMs', 'sessionsOfPerson', 'secondFactorFor'])
  expect(about(/session|sign|factor|password|passkey|identity/i)).toEqual(ofSigningIn)
  const ofBackups = marked('backup')
  expect(ofBackups).toEqual(['backupHour', 'backupZone', 'backupsKept'])
  expect(about(/back.?up|hour/i)).toEqual(ofBackups)
  const ctx = {
    ...systemCtx(),
    via: 'api',
    apiKeyId: '01890000-0000-7000-8000-000000000000',
  } as const
  vi.stubEnv('DATABASE_URL', 'postgresql://127.0.0.1:1/none')
  vi.stubEnv('NEXTAUTH_SECRET', 'a'.repeat(32))
  vi.stubEnv('TOOLGATE_VAULT_KEY', Buffer.alloc(32).toString('base64'))
  for (const name of [...ofSigningIn, ...ofBackups]) {
    for (const beside of [{}, { maxRounds: 3 }]) {
      const wanted = { ...beside, [name]: defaultSettings[name] }
      await expect(updateSettings(ctx, wanted)).rejects.toThrow(
        /API keys cannot (change how people|write or delete a backup)/,
      )
    }
  }
})

/** Types know what the methods of Prisma write. They cannot know it of SQL, so those few are named here. */
const decidedInSql = {
  'lib/domains/audit/store-refusal.ts audit_entries': 'what was refused, and so not changed',
  'lib/domains/connections/take-key.ts connection_keys': 'what providers answered for a key',
  'lib/domains/tasks/verbs.ts tasks': 'who wrote it, of a verb, which audits it',
  'lib/installation/backup/audit-installation.ts audit_entries': 'who wrote or restored a backup',
  'lib/installation/backup/freeze-restored.ts account_links': 'a restore, which audits it',
  'lib/installation/backup/freeze-restored.ts api_keys': 'a restore, which audits it',
  'lib/installation/backup/freeze-restored.ts sessions': 'a restore, which audits it',
  'lib/installation/backup/freeze-restored.ts settings': 'a restore, which audits it',
  'lib/installation/backup/freeze-restored.ts vault_secrets': 'a restore, which audits it',
  'lib/probes/test-connection.ts connections': 'what a test found',
  'lib/runs/approvals/decide-approval.ts approvals': 'a verb, which audits it',
  'lib/runs/journal/run-journal.ts call_results': 'the whole result of a call of a run',
  'lib/runs/journal/write-steps.ts approvals': 'asked by the run, and in its journal',
  'lib/runs/panels/insert-panel.ts audit_entries': 'a verb, which audits it in this statement',
  'lib/runs/panels/insert-panel.ts panels': 'a verb, which audits it in this statement',
  'lib/runs/start/insert-run.ts audit_entries': 'a verb, which audits it in this statement',
  'lib/runs/start/insert-run.ts call_results': 'copies of a run that another goes on from',
  'lib/runs/start/insert-run.ts conversations': 'a verb, which audits it in this statement',
  'lib/runs/start/insert-run.ts files': 'a verb, which audits it in this statement',
  'lib/runs/start/insert-run.ts run_files': 'a verb, which audits it in this statement',
  'lib/toolset/schedules/authors.ts schedules': 'who wrote it, of a verb, which audits it',
  'lib/toolset/servers/store-found.ts remote_tools': 'what a server defines now',
}

test('no other statement in SQL changes what somebody decides', () => {
  const writing =
    /\b(?:INSERT\s+INTO|DELETE\s+FROM|TRUNCATE|UPDATE(?=\s+\S+(?:\s+(?:AS\s+)?\w+)?\s+SET\b))\s+"?(\w+)/gi
  const schema = readFileSync('prisma/schema.prisma', 'utf8')
  const tables = new Set([...schema.matchAll(/@@map\("(\w+)"\)/g)].map(([, table]) => table))
  const found = sources.flatMap((file) =>
    [...readFileSync(`lib/${file}`, 'utf8').matchAll(writing)]
      .filter(([, table = '']) => tables.has(table) && !undecidedTables.has(table))
      .map(([, table]) => `lib/${file} ${table}`),
  )
  expect([...new Set(found)].toSorted()).toEqual(Object.keys(decidedInSql))
})
