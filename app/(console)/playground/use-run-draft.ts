'use client'
import type { ConfigurationListing } from '@toolgate/server/domains/configurations/schemas'
import { type RefObject, useEffect, useState } from 'react'
import { z } from 'zod'
import { usualConfiguration } from '@/components/nouns/usual-configuration'
import {
  compareKey,
  dropTooLong,
  promptKey,
  readStored,
  store,
  typedAtKey,
} from './browser-storage'
import { noCap, noFiles, noTask, type RunDraft } from './run-draft'
import { restorePicked } from './tool-selection'
import type { ExplainedTools } from './use-explained-tools'

type Found = {
  configurations: ConfigurationListing[]
  /** The tools of the first configuration. Its id is null when the one asked for cannot be used. */
  explained: ExplainedTools
  /** True = the address names the configuration, which then wins over what this browser remembers. */
  named: boolean
}

/** Holds the form's values: `given`, or else what this browser remembers, without what no longer exists. */
export function useRunDraft(
  given: RunDraft | null,
  { configurations, explained, named }: Found,
  field: RefObject<HTMLTextAreaElement | null>,
) {
  const [draft, setDraft] = useState<RunDraft>(() => ({
    picked: null,
    maxRounds: '',
    prompt: '',
    ...noTask,
    ...noCap,
    ...noFiles,
    ...given,
    configurationId: explained.configurationId,
  }))

  /** The length of a stored draft that was dropped; null = none was. */
  const [dropped, setDropped] = useState<number | null>(null)

  // External system: the browser's storage, which the server does not see.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, after the page was loaded
  useEffect(() => {
    if (given) {
      const typed = recallPrompt()
      // A typed draft wins over the address, also after a sign-in.
      const isOfHere = readStored(() => sessionStorage, typedAtKey) === window.location.search
      if (isOfHere && typed && !given.task) setDraft((before) => ({ ...before, prompt: typed }))
      return
    }
    setDropped(
      dropTooLong(() => sessionStorage, promptKey) ?? dropTooLong(() => localStorage, compareKey),
    )
    const settings = recallSettings()
    const typed = field.current?.value
    setDraft((before) => ({
      ...before,
      configurationId: named
        ? before.configurationId
        : usualConfiguration(configurations, settings?.configurationId ?? null),
      picked: settings?.tools ? restorePicked(explained.tools, settings.tools) : null,
      maxRounds: settings?.maxRounds ?? '',
      prompt: typed || recallPrompt() || before.prompt,
    }))
  }, [])

  const change = (part: Partial<RunDraft>) => {
    const next = { ...draft, ...part }
    setDraft(next)
    setDropped(null)
    if (!next.task) rememberPrompt(next.prompt)
    rememberSettings({
      // Only one that was picked or used is remembered, so that one added later can come first.
      configurationId: part.configurationId ?? recallSettings()?.configurationId ?? null,
      tools: next.picked && [...next.picked],
      maxRounds: next.maxRounds,
    })
  }
  return [draft, change, dropped] as const
}

const settingsKey = 'toolgate.playground'

const Settings = z.object({
  configurationId: z.string().nullable(),
  tools: z.array(z.string()).nullable(),
  maxRounds: z.string(),
})

/** Settings of the Playground that this browser remembers, across tabs and visits. */
export type PlaygroundSettings = z.infer<typeof Settings>

/** Returns null when nothing valid is stored or the browser refuses its storage. */
function recallSettings(): PlaygroundSettings | null {
  const text = readStored(() => localStorage, settingsKey)
  if (text === null) return null
  try {
    return Settings.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

function rememberSettings(settings: PlaygroundSettings): void {
  store(() => localStorage, settingsKey, JSON.stringify(settings))
}

/** Remembers that a run was started with this configuration. */
export function rememberUsed(configurationId: string | null): void {
  const settings = recallSettings() ?? { tools: null, maxRounds: '' }
  rememberSettings({ ...settings, configurationId })
}

function recallPrompt(): string {
  return readStored(() => sessionStorage, promptKey) ?? ''
}

function rememberPrompt(prompt: string): void {
  store(() => sessionStorage, promptKey, prompt)
  store(() => sessionStorage, typedAtKey, window.location.search)
}
