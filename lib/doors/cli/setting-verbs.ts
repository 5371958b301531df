import { readSettings } from '@/lib/domains/settings/read-settings'
import { updateSettings } from '@/lib/domains/settings/update-settings'
import { actingCtx } from './acting-ctx'
import type { CommonOptions } from './common-options'
import { printJson, printLine, printTable } from './print'
import { findSetting, siteSettings } from './site-setting'

export type SettingOptions = CommonOptions & { reason?: string }

export async function printSettings({ as, json }: CommonOptions): Promise<void> {
  const settings = await readSettings(await actingCtx(as))
  if (json) return printJson(settings)
  printTable(
    ['SETTING', 'VALUE', 'WHAT IT IS'],
    siteSettings.map(({ name, about, show }) => [name, show(settings), about]),
  )
}

export async function printSetting(name: string, { as, json }: CommonOptions): Promise<void> {
  const setting = findSetting(name)
  const value = setting.show(await readSettings(await actingCtx(as)))
  if (json) return printJson({ name, value })
  printLine(value)
}

export async function setAndPrint(
  name: string,
  text: string,
  { as, json, reason = '' }: SettingOptions,
): Promise<void> {
  const setting = findSetting(name)
  const settings = await updateSettings(await actingCtx(as), { ...setting.read(text), reason })
  const value = setting.show(settings)
  if (json) return printJson({ name, value })
  printLine(`${name} is ${value}.`)
}
