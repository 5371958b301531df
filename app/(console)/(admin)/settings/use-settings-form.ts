'use client'
import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { useActionForm } from '@/components/forms/use-action-form'
import { type SettingName, type SiteSettings, settingNames } from '@/lib/domains/settings/shape'
import { countOf } from '@/lib/words/format'
import { saveSettings } from './actions'
import { changedSettings, changeOf, type TypedSettings, typedSettings } from './typed-settings'

/**
 * Holds the form of all settings. Only changed ones are sent, in one change. What somebody else saved meanwhile is taken over,
 * unless the same setting was changed here: that is a `conflict`, until the person decides.
 */
export function useSettingsForm(settings: SiteSettings) {
  const [stored, setStored] = useState(settings)
  // After saving, the page still has the settings from before until it is refreshed: those are no news.
  const [seen, setSeen] = useState(settings)
  const form = useActionForm<TypedSettings, SiteSettings>({
    values: typedSettings(settings),
    send: (typed) => saveSettings(changeOf(changedSettings(typed, stored), typed, stored)),
    saved: (sent) => ({ ...sent, reason: '' }),
    done: (_, sent) => `Saved ${countOf(changedSettings(sent, stored).length, 'setting')}`,
    onDone: (saved) => {
      setStored(saved)
      focusPage()
    },
    isShared: true,
  })
  const typed = form.watch()
  const changed = changedSettings(typed, stored)
  const news = settingNames.filter((name) => settings[name] !== seen[name])
  const contested = news.filter((name) => settings[name] !== stored[name] && changed.includes(name))
  /** Takes over what is stored now. `kept`: the changes of this form that stay. */
  const takeOver = (kept: readonly SettingName[]) => {
    const { reason } = form.getValues()
    setStored(settings)
    setSeen(settings)
    form.reset(typedSettings(settings))
    form.change({ ...Object.fromEntries(kept.map((name) => [name, typed[name]])), reason })
  }
  const isFree = news.length > 0 && contested.length === 0 && !form.busy
  // External system: the fields of the form, which keep their own values.
  useEffect(() => {
    if (isFree) takeOver(changed)
  })
  const decide = (kept: readonly SettingName[]) => {
    flushSync(() => takeOver(kept))
    focusPage()
  }
  const conflict = {
    names: contested,
    onKeep: () => decide(changed),
    onTake: () => decide(changed.filter((name) => !contested.includes(name))),
  }
  const discard = () => {
    flushSync(() => {
      form.reset(typedSettings(stored))
      form.clearErrors()
    })
    focusPage()
  }
  return { form, stored, changed, conflict: contested.length > 0 ? conflict : null, discard }
}

/** Focuses the content of the page, because the button that was pressed is gone. */
function focusPage(): void {
  document.getElementById('content')?.focus({ preventScroll: true })
}
