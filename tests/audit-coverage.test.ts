import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test, vi } from 'vitest'
import type { SourceFile } from './support/source-functions'
import { changePolicy, type Exempt, recordAudit, uncoveredWrites } from './support/uncovered-writes'

// It parses every source of lib, which takes a busy machine a while.
vi.setConfig({ testTimeout: 90_000 })

/** What changes without anybody deciding it, or is a trail of its own. */
const exempt: Exempt = {
  models: {
    runEventRow: 'the journal is the trail of a run',
    run: 'columns of a run follow its journal, which says who started and stopped it',
    fileContent: 'the bytes of files, whose upload is audited',
    nativeAnswer: 'an answer of the journal, as its provider wrote it',
    callResult: 'what a call returned, named by the journal',
    usageRecord: 'the ledger of the journal’s model requests',
    budgetCounter: 'the sums of the ledger below',
    budgetReservation: 'the ledger of what model requests take from budgets',
    budgetAlert: 'left by that ledger, and sent by the engine; who saw one is audited',
    callRecord: 'the ledger of the journal’s tool calls',
    connectionHealth: 'the memory of the circuit breaker, written by what providers do',
    connectionFailure: 'what providers refused last, and whether it is over',
    instance: 'heartbeats of processes',
    logEntry: 'the log sink',
    policyVersion: 'a number that each audited change of the policy raises',
    signInFailure: 'the counter that slows down guessing',
    pendingSignIn: 'no session yet; the session it becomes is audited',
    passkeyChallenge: 'numbers to sign once; what comes of them is audited',
  },
  places: {
    'lib/domains/api-keys/verify-api-key.ts#verifyApiKey':
      'when a key was last used, to the minute',
    'lib/domains/audit/store-refusal.ts#storeRefusal':
      'the audit of what was refused, and so not changed',
    'lib/auth/load-session.ts#touchSession': 'when a session was last used, to the minute',
    'lib/auth/note-forwarded.ts#storeForwarded': 'what a request looked like, for the doctor',
    'lib/auth/verify-passkey.ts#verifyPasskey': 'when a passkey was last used, and how often',
    'lib/probes/test-connection.ts#recordConnectionTest': 'what a test found, not a change',
    'lib/domains/connections/take-key.ts#take': 'what a key was used for in this minute',
    'lib/domains/connections/take-key.ts#cool':
      'what a provider refused, and until when that counts',
    'lib/domains/connections/take-key.ts#exhausted': 'what a provider says is left of a limit',
    'lib/domains/connections/take-key.ts#clearKey': 'what an answer showed to be over',
    'lib/domains/connections/take-key.ts#clearOwnKey': 'what a test showed to be over',
    'lib/runs/files/keep-run-images.ts#keepRunImages': 'what a call returned, named by the journal',
    'lib/runs/files/upload-file.ts#sweepFiles': 'what no run needs any more',
    'lib/runs/journal/insert-events.ts#approvalChanges': 'asked by the run, and in its journal',
    'lib/domains/users/setup.ts#createSetupToken': 'the installation itself, at its start',
    'lib/domains/vault/check-vault-key.ts#storeCanary':
      'the installation itself, at its first start',
    'lib/domains/vault/rotate-vault-key.ts#writeBatch':
      'the same values under another key; audited where the rotation begins and ends',
  },
}

const schema = readFileSync('prisma/schema.prisma', 'utf8')
const modelOfTable = new Map(
  [...schema.matchAll(/^model (\w+) \{[\s\S]*?@@map\("(\w+)"\)/gm)].map(
    ([, model = '', table = '']) => [table, model.charAt(0).toLowerCase() + model.slice(1)],
  ),
)
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'lib'])
  .toString()
  .split('\n')
  .filter((file) => /\.tsx?$/.test(file) && !/\.(test|d)\.tsx?$/.test(file) && existsSync(file))
  .map((file) => ({ file, text: readFileSync(file, 'utf8') }))

test('every verb that changes something leaves a line in the audit', () => {
  const { uncovered, excuses } = uncoveredWrites(recordAudit, files, modelOfTable, exempt)
  const advice = 'Return changed(…) from a verb. If nobody decides this change, say why in exempt.'
  expect(uncovered, advice).toEqual([])
  expect(excuses).toEqual([])
})

/** What decisions are made from (SPEC G-F, G-R): changes of these tables take the policy lock and raise the version. */
const decisive = new Set(
  `approvalRule configuration configurationFallback configurationGroup configurationSkill connection group groupMember
  model setting skill skillVersion task taskSkill toolGroupOff toolOverride user`.split(/\s+/),
)
const undecisive = new Map([...modelOfTable].filter(([, model]) => decisive.has(model)))
const noDecision: Record<string, string> = {
  'lib/domains/configurations/verbs.ts#createConfiguration': 'adds what no run has yet',
  'lib/auth/change-own-password.ts#changeOwnPassword':
    'how a person signs in, not what they may do',
  'lib/auth/note-forwarded.ts#storeForwarded': 'what a request looked like, for the doctor',
  'lib/auth/open-session.ts#openSession': 'how a person signs in, not what they may do',
  'lib/domains/budgets/alert-webhook-verbs.ts#sealAlertAddress': 'where alerts go',
  'lib/domains/budgets/alert-webhook-verbs.ts#removeAlertWebhook': 'where alerts go',
  'lib/domains/budgets/alert-webhook-verbs.ts#storeAlertWebhook': 'where alerts go',
  'lib/domains/connections/key-verbs.ts#settlePool':
    'secrets and findings of a connection; where it leads is looked at before each request',
  'lib/domains/connections/verbs.ts#createConnection': 'adds what no run has yet',
  'lib/probes/test-connection.ts#recordConnectionTest':
    'secrets and findings of a connection; where it leads is looked at before each request',
  'lib/domains/connections/key-verbs.ts#removeConnectionKey':
    'secrets and findings of a connection; where it leads is looked at before each request',
  'lib/domains/connections/verbs.ts#setConnectionHeaders':
    'secrets and findings of a connection; where it leads is looked at before each request',
  'lib/domains/connections/key-verbs.ts#setConnectionKey':
    'secrets and findings of a connection; where it leads is looked at before each request',
  'lib/domains/groups/verbs.ts#createGroup': 'adds what no run has yet',
  'lib/domains/groups/verbs.ts#updateGroup': 'a name or a description',
  'lib/domains/models/verbs.ts#insertModel': 'adds what no run has yet',
  'lib/domains/models/verbs.ts#storeToolTest': 'what a model can do and is called',
  'lib/domains/tasks/verbs.ts#addTask': 'adds what no run has yet',
  'lib/domains/tasks/verbs.ts#setTaskEnabled':
    'whether a task can be picked; runs of it go on with their configuration',
  'lib/domains/users/account-links.ts#acceptAccountLink':
    'how a person signs in, not what they may do',
  'lib/domains/users/setup.ts#completeSetup': 'adds what no run has yet',
  'lib/domains/users/setup.ts#createSetupToken': 'how a person signs in, not what they may do',
  'lib/domains/users/verbs.ts#createUser': 'adds what no run has yet',
  'lib/domains/users/account-links.ts#inviteUser': 'adds what no run has yet',
  'lib/domains/users/verbs.ts#renameOneself': 'a name or a description',
  'lib/domains/users/sign-in-verbs.ts#resetPassword': 'how a person signs in, not what they may do',
  'lib/domains/users/sign-in-verbs.ts#setPassword': 'how a person signs in, not what they may do',
  'lib/domains/vault/rotate-vault-key.ts#storeRotation': 'the keys of the vault',
  'lib/domains/vault/check-vault-key.ts#storeCanary': 'the keys of the vault',
  'lib/domains/vault/rotate-vault-key.ts#finishRotation': 'the keys of the vault',
}

test('every change of what decisions are made from is a policy change', () => {
  const decisions = { models: {}, places: noDecision }
  const { uncovered, excuses } = uncoveredWrites(changePolicy, files, undecisive, decisions)
  const advice =
    'Give the verb "transaction: changePolicy". If no gate and no right depends on what it writes, say why in noDecision.'
  expect(uncovered, advice).toEqual([])
  expect(excuses).toEqual([])
})

/** Returns what the checker itself finds in one more file. */
function findingsIn(text: string, more: SourceFile[] = []): string[] {
  const recorder = {
    file: 'lib/domains/audit/record-audit.ts',
    text: 'export async function recordAudit() {}',
  }
  const nothing = { models: {}, places: {} }
  return uncoveredWrites(
    recordAudit,
    [recorder, ...more, { file: 'lib/x/verb.ts', text }],
    modelOfTable,
    nothing,
  ).uncovered
}

const imports = `import { recordAudit } from '../domains/audit/record-audit'
import { db, withTransaction } from '../kernel/db'
`

describe('the checker', () => {
  test.each([
    [
      'through Prisma',
      'await withTransaction(async (tx) => { await tx.group.update({}) })',
      'group',
    ],
    ['by SQL', 'await tx.$executeRaw`UPDATE groups AS g SET name = now()`', 'groups'],
    ['by SQL in a query', "await pool().query('INSERT INTO groups VALUES (1)')", 'groups'],
    ['by a method that returns', 'return db().user.updateManyAndReturn({})', 'user'],
  ])('finds a verb that writes %s and says nothing', (_how, body, model) => {
    expect(findingsIn(`${imports}export async function verb() { ${body} }`)).toEqual([
      `lib/x/verb.ts#verb writes ${model}`,
    ])
  })

  test('finds it in an arrow function too, and beside one that is audited', () => {
    const text = `${imports}
      export async function good() { await withTransaction(async (tx) => { await tx.group.create({}); await recordAudit(tx) }) }
      export const bad = async () => withTransaction((tx) => tx.group.create({}))`
    expect(findingsIn(text)).toEqual(['lib/x/verb.ts#bad writes group'])
  })

  test('finds an audited write outside of the transaction', () => {
    const text = `${imports}export async function verb() { await db().group.create({}); await withTransaction((tx) => recordAudit(tx)) }`
    expect(findingsIn(text)).toHaveLength(1)
  })

  test('follows each function to the parts of its transaction', () => {
    const part = {
      file: 'lib/x/part.ts',
      text: 'export async function part(tx: Tx) { await tx.group.delete({}) }',
    }
    const verb = (rest: string) =>
      `${imports}import { part } from './part'
      export function verb() { return withTransaction(async (tx) => { await part(tx); ${rest} }) }`
    expect(findingsIn(verb('await recordAudit(tx)'), [part])).toEqual([])
    expect(findingsIn(verb(''), [part])).toEqual(['lib/x/verb.ts#verb writes group'])
    const second = `${verb('await recordAudit(tx)')}
      export function other() { return withTransaction((tx) => part(tx)) }`
    expect(findingsIn(second, [part])).toEqual(['lib/x/verb.ts#other writes group'])
  })

  test('sees neither reading, nor locks, nor words that only sound like SQL', () => {
    const text = `${imports}export async function read(tx: Tx) {
      await tx.group.findMany({})
      await tx.$queryRaw\`SELECT 1 FROM groups FOR UPDATE\`
      return 'Nothing to delete from here; update groups when you set out.'
    }`
    expect(findingsIn(text)).toEqual([])
  })

  test('names excuses that excuse nothing', () => {
    const stale = { models: { group: 'x' }, places: { 'lib/x/gone.ts#gone': 'x' } }
    expect(uncoveredWrites(recordAudit, [], modelOfTable, stale).excuses).toEqual([
      'group',
      'lib/x/gone.ts#gone',
    ])
  })
})
