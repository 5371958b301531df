import type { Tx } from '../../kernel/db'
import { SiteSettings, usualSettings } from './site-settings'

const names = SiteSettings.keyof().options

/** For people: a stored value that makes no sense is shown as the usual one, so that the page which mends it works. */
export async function storedSettings(tx: Tx): Promise<SiteSettings> {
  const rows = await tx.setting.findMany({ where: { key: { in: names } } })
  const sound = rows.filter(({ key, value }) => isSound(key, value))
  return { ...usualSettings, ...Object.fromEntries(sound.map(({ key, value }) => [key, value])) }
}

function isSound(key: string, value: unknown): boolean {
  return SiteSettings.partial().safeParse({ [key]: value }).success
}
