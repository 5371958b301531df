import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { changed, verb } from '@/lib/edge/verb'
import { type ChangeTx, db, type PolicyTx, type Tx } from '@/lib/kernel/db'
import { ConflictError } from '@/lib/kernel/errors'
import { changePolicy } from '@/lib/kernel/policy-lock'
import {
  defaultSettings,
  type SettingName,
  SiteSettings,
  settingNames,
  settingShape,
} from './shape'

export const readSettings = verb({
  name: 'setting.read',
  role: 'admin',
  scope: 'settings:read',
  summary: 'Returns the settings of the site, with the default value where nobody set one.',
  input: z.object({}),
  output: SiteSettings,
  transaction: false,
  run: () => storedSettings(db()),
})

/**
 * Changes settings; unchanged ones are not audited. A change applies to the next decision: calls that already wait keep
 * their time limit. A change of how people sign in and for how long (SPEC A6), or of when backups are written, needs a fresh
 * confirmation of identity, which no API key can give.
 */
export const updateSettings = verb({
  name: 'setting.update',
  role: 'admin',
  scope: 'settings:write',
  summary:
    'Changes settings of the site; fields that are left out stay. With `expected`, nothing changes if one of them has another value.',
  reason: 'optional',
  input: SiteSettings.partial().extend({ expected: SiteSettings.partial().optional() }),
  output: SiteSettings,
  personsAct: (wanted) => {
    const acts = settingNames.flatMap((name) => {
      const shape = settingShape[name]
      return wanted[name] !== undefined && 'personsAct' in shape ? [shape.personsAct] : []
    })
    return acts[0] ?? null
  },
  // The gates' state is read under this lock, together with some of the settings.
  transaction: changePolicy,
  run: async ({ tx }, { expected = {}, ...wanted }) => {
    const before = await storedSettings(tx)
    requireExpected(before, expected)
    const after = { ...before, ...wanted }
    const different = settingNames.filter((name) => !isDeepStrictEqual(before[name], after[name]))
    if (after.sessionIdleMs > before.sessionIdleMs) await endIdleSessions(tx, before.sessionIdleMs)
    for (const name of different) await store(tx, name, after)
    const changes = different.map((name) => ({
      subject: name,
      before: { [name]: before[name] },
      after: { [name]: after[name] },
    }))
    return changed(after, ...changes)
  },
})

/** Throws ConflictError when a setting has another value than the one that a change is based on. */
function requireExpected(stored: SiteSettings, expected: Partial<SiteSettings>): void {
  const others = settingNames.filter(
    (name) => expected[name] !== undefined && expected[name] !== stored[name],
  )
  if (others.length === 0) return
  const list = new Intl.ListFormat('en').format(others.map((name) => settingShape[name].label))
  throw new ConflictError(`Somebody changed ${list} meanwhile, so nothing was saved.`)
}

/**
 * Returns the settings for people. An invalid stored value is shown as the default, so that the settings page works and
 * can correct it.
 */
async function storedSettings(tx: Tx): Promise<SiteSettings> {
  const rows = await tx.setting.findMany({ where: { key: { in: settingNames } } })
  const sound = rows.filter(({ key, value }) => isSound(key, value))
  return { ...defaultSettings, ...Object.fromEntries(sound.map(({ key, value }) => [key, value])) }
}

/** Maximum numbers of active runs. */
export type RunPlaces = Pick<SiteSettings, 'siteRuns' | 'personRuns' | 'configurationRuns'>
export type RunLimits = RunPlaces & Pick<SiteSettings, 'maxRounds'>

/** Returns the limits of runs (SPEC R3). A stored value that cannot be read counts as the default. */
export async function readRunLimits(tx: Tx = db()): Promise<RunLimits> {
  const { maxRounds, siteRuns, personRuns, configurationRuns } = await storedSettings(tx)
  return { maxRounds, siteRuns, personRuns, configurationRuns }
}

function isSound(key: string, value: unknown): boolean {
  return SiteSettings.partial().safeParse({ [key]: value }).success
}

async function store(tx: PolicyTx, name: SettingName, settings: SiteSettings): Promise<void> {
  const value = settings[name]
  await tx.setting.upsert({ where: { key: name }, create: { key: name, value }, update: { value } })
}

/** Ends the sessions that exceed the shorter limit, so that a longer limit later does not revive them. */
async function endIdleSessions(tx: ChangeTx, idleMs: number): Promise<void> {
  const now = new Date()
  await tx.session.updateMany({
    where: { revokedAt: null, lastSeenAt: { lt: new Date(now.getTime() - idleMs) } },
    data: { revokedAt: now },
  })
}
