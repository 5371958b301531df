import { expect, expectTypeOf, test, vi } from 'vitest'
import { z } from 'zod'
import type { Ctx, WaysOut } from '@/lib/kernel/context'
import type { ChangeTx, PolicyTx, Tx } from '@/lib/kernel/db'
import { AppError, UnconfirmedError } from '@/lib/kernel/errors'
import { changePolicy } from '@/lib/kernel/policy-lock'
import { type Change, changed, inputJsonSchema, unchanged, type Verb, verb } from './verb'

const rows = vi.hoisted((): unknown[] => [])
vi.mock('@/lib/kernel/db', () => ({
  db: () => 'the database',
  withTransaction: (work: (tx: unknown) => Promise<unknown>) =>
    work({
      auditEntry: {
        create: async ({ data }: { data: unknown }) => {
          rows.push(data)
        },
      },
    }),
}))

const ctxOf = (role: 'admin' | 'member'): Ctx => ({
  actor: { userId: 'u', email: 'ada@example.org', role },
  via: 'api',
  ipAddress: null,
})
const admin = ctxOf('admin')

const rename = verb({
  name: 'thing.rename',
  role: 'admin',
  scope: null,
  summary: 'Renames a thing.',
  reason: 'optional',
  input: z
    .object({ id: z.string(), name: z.string('Give a name.') })
    .refine(({ name }) => name !== 'taken', { path: ['name'], message: 'This is taken.' }),
  output: z.object({ name: z.string() }),
  run: async (_context, { id, name }) =>
    name === 'same'
      ? unchanged({ name })
      : changed({ name }, { subject: id, before: { name: 'old' }, after: { name } }),
})

test('a verb returns its output and leaves one row of its change in the audit', async () => {
  rows.length = 0
  expect(await rename(admin, { id: '1', name: 'new', reason: ' Because ' })).toEqual({
    name: 'new',
  })
  expect(rows).toMatchObject([
    {
      action: 'thing.rename',
      objectType: 'thing',
      objectId: '1',
      before: { name: 'old' },
      after: { name: 'new' },
      reason: 'Because',
      actorLabel: 'ada@example.org',
    },
  ])
  await rename(admin, { id: '1', name: 'same' })
  expect(rows).toHaveLength(1)
})

test('a verb refuses a role that is too low before it looks at the input', async () => {
  const bad = { id: '1' } as { id: string; name: string }
  await expect(rename(ctxOf('member'), bad)).rejects.toMatchObject({ status: 403 })
})

test('a verb names every field that is wrong, its reason included', async () => {
  const bad = { id: '1', reason: 'x'.repeat(501) } as unknown as { id: string; name: string }
  await expect(rename(admin, bad)).rejects.toMatchObject({
    fields: { name: 'Give a name.', reason: 'A reason has at most 500 characters.' },
  })
  const taken = rename(admin, { id: '1', name: 'taken' })
  await expect(taken).rejects.toMatchObject({ fields: { name: 'This is taken.' } })
})

test('a field that a verb does not know is an error', async () => {
  const input = { id: '1', name: 'new', other: 1 }
  await expect(rename(admin, input)).rejects.toMatchObject({
    fields: { other: 'Unknown field: other.' },
  })
})

test('a reason that is required must be given', async () => {
  const end = verb({
    name: 'thing.end',
    role: 'member',
    scope: null,
    summary: 'Ends a thing.',
    reason: 'required',
    input: z.object({ note: z.string().optional() }),
    transaction: false,
    run: async ({ reason }) => {
      expect(reason).toBe('Done')
    },
  })
  await expect(end(admin, { reason: ' ' })).rejects.toMatchObject({ status: 422 })
  await expect(end(admin, { reason: 'Done' })).resolves.toBeUndefined()
  expect(inputJsonSchema(end as unknown as Verb)).toMatchObject({ required: ['reason'] })
})

test('a verb that needs a fresh proof asks whoever can give one', async () => {
  const promote = verb({
    name: 'thing.promote',
    role: 'admin',
    scope: null,
    summary: 'Promotes a thing.',
    input: z.object({ high: z.boolean() }),
    needsReauthentication: ({ high }) => high,
    transaction: false,
    run: async () => undefined,
  })
  const requireProof = () => {
    throw new AppError('confirm-identity', 403, 'Confirm that it is you.')
  }
  await expect(promote({ ...admin, requireProof }, { high: false })).resolves.toBeUndefined()
  const request = promote({ ...admin, requireProof }, { high: true })
  await expect(request).rejects.toMatchObject({ code: 'confirm-identity' })
  await expect(promote(admin, { high: true })).resolves.toBeUndefined()
})

test('an act of persons is refused to every key, asks a browser for a proof, and is open to a terminal', async () => {
  const move = verb({
    name: 'thing.move',
    role: 'admin',
    scope: 'tools:write',
    summary: 'Moves a thing.',
    input: z.object({ far: z.boolean() }),
    personsAct: ({ far }) => (far ? 'program' : null),
    transaction: false,
    run: async () => undefined,
  })
  const requireProof = () => {
    throw new AppError('confirm-identity', 403, 'Confirm that it is you.')
  }
  const byKey = { ...admin, via: 'api', apiKeyId: 'k1' } as const
  await expect(move(byKey, { far: true })).rejects.toMatchObject({
    status: 403,
    message:
      'API keys cannot say which program runs on this server or what it reaches, or switch it on. Do it on the console, or in a terminal on the server.',
  })
  await expect(move(byKey, { far: false })).resolves.toBeUndefined()
  const inBrowser = { ...admin, requireProof }
  await expect(move(inBrowser, { far: true })).rejects.toMatchObject({ code: 'confirm-identity' })
  await expect(move(inBrowser, { far: false })).resolves.toBeUndefined()
  await expect(move({ ...admin, via: 'cli' }, { far: true })).resolves.toBeUndefined()
})

test('a change that may leave calls that nobody could approve fails where nothing checks that', async () => {
  const limit = verb({
    name: 'thing.limit',
    role: 'admin',
    scope: null,
    summary: 'Limits a thing.',
    input: z.object({ far: z.boolean() }),
    mayEndApproval: ({ far }) => far,
    run: async () => unchanged(undefined),
  })
  await expect(limit(admin, { far: true })).rejects.toThrow('came unchecked (api)')
  await expect(limit(admin, { far: false })).resolves.toBeUndefined()
  await expect(limit({ ...admin, waysOut: 'unchecked' }, { far: true })).resolves.toBeUndefined()
  const waysOut: WaysOut = {
    requireConfirmed: () => {},
    requireReason: () => '',
    keep: async () => {
      throw new UnconfirmedError(['Nobody could approve it.'])
    },
  }
  await expect(limit({ ...admin, waysOut }, { far: true })).rejects.toThrow(UnconfirmedError)
})

test('types know what may be written without a verb, in one, and under the policy lock', () => {
  expectTypeOf<Tx['usageRecord']>().toHaveProperty('create')
  expectTypeOf<Tx['budget']>().not.toHaveProperty('create')
  expectTypeOf<Tx['user']>().not.toHaveProperty('create')
  expectTypeOf<Tx>().not.toHaveProperty('$transaction')
  expectTypeOf<ChangeTx['budget']>().toHaveProperty('deleteMany')
  expectTypeOf<ChangeTx['user']>().toHaveProperty('create')
  expectTypeOf<ChangeTx['user']>().not.toHaveProperty('update')
  expectTypeOf<ChangeTx['groupMember']>().not.toHaveProperty('create')
  expectTypeOf<PolicyTx['groupMember']>().toHaveProperty('create')
  expectTypeOf<Tx>().not.toExtend<ChangeTx>()
  expectTypeOf<ChangeTx>().not.toExtend<PolicyTx>()
  expectTypeOf<Change<void, 'thing.move'>>().not.toExtend<Change<void, 'thing.rename'>>()
  const facts = { role: 'admin', scope: null, summary: '', input: z.object({}) } as const
  verb({
    ...facts,
    name: 'thing.move',
    run: async ({ tx }) => {
      expectTypeOf(tx).toEqualTypeOf<ChangeTx>()
      return unchanged(undefined)
    },
  })
  verb({
    ...facts,
    name: 'thing.move',
    transaction: changePolicy,
    run: async ({ tx }) => {
      expectTypeOf(tx).toEqualTypeOf<PolicyTx>()
      return unchanged(undefined)
    },
  })
})

test('a verb that names its actions writes no other into the audit', async () => {
  const move = verb({
    name: 'thing.move',
    role: 'admin',
    scope: null,
    summary: 'Moves a thing.',
    input: z.object({ isNamed: z.boolean() }),
    audits: ['thing.lift'],
    transaction: 'later',
    run: async ({ change }, { isNamed }) =>
      change(async () =>
        isNamed
          ? changed(undefined, { subject: '1', action: 'thing.lift' })
          : changed(undefined, { subject: '1' }),
      ),
  })
  rows.length = 0
  await move(admin, { isNamed: true })
  expect(rows).toMatchObject([{ action: 'thing.lift', objectType: 'thing', objectId: '1' }])
  await expect(move(admin, { isNamed: false })).rejects.toThrow('does not name the action')
  expect(rows).toHaveLength(1)
})

test.each([
  { code: '40P01', failures: 2, attempts: 3 },
  { code: '40001', failures: 2, attempts: 3 },
  { code: '40P01', failures: 9, attempts: 3 },
  { code: '23505', failures: 1, attempts: 1 },
])(
  'a change is tried three times at most when PostgreSQL refuses it for another one: %o',
  async ({ code, failures, attempts }) => {
    let begun = 0
    const afterCommit = vi.fn()
    const move = verb({
      name: 'thing.move',
      role: 'admin',
      scope: null,
      summary: 'Moves a thing.',
      input: z.object({}),
      run: async () => {
        begun += 1
        if (begun <= failures) throw Object.assign(new Error('refused'), { code })
        return changed(undefined, { subject: '1' })
      },
      afterCommit,
    })
    rows.length = 0
    const isDone = attempts > failures
    await move(admin, {}).then(
      () => expect(isDone).toBe(true),
      (error) => expect([isDone, error]).toMatchObject([false, { code }]),
    )
    expect(begun).toBe(attempts)
    expect([afterCommit.mock.calls.length, rows.length]).toEqual(isDone ? [1, 1] : [0, 0])
  },
)
