'use client'
import { type RefObject, useEffect, useState } from 'react'
import { z } from 'zod'
import { usualConfiguration } from '@/components/nouns/usual-configuration'
import type { ConfigurationListing } from '@/lib/domains/configurations/schemas'
import { readStored, store } from './browser-storage'
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

  // Outside system: the browser's storage, which the server does not see.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, after the page was loaded
  useEffect(() => {
    if (given) return
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
    if (!next.task) rememberPrompt(next.prompt)
    rememberSettings({
      // No configuration is picked while the one asked for cannot be used; the remembered one stays.
      configurationId: next.configurationId ?? recallSettings()?.configurationId ?? null,
      tools: next.picked && [...next.picked],
      maxRounds: next.maxRounds,
    })
  }
  return [draft, change] as const
}

const settingsKey = 'toolgate.playground'
const promptKey = 'toolgate.playground.prompt'

const Settings = z.object({
  configurationId: z.string().nullable(),
  tools: z.array(z.string()).nullable(),
  maxRounds: z.string(),
})

/** What the Playground remembers on this computer, across tabs and visits. */
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

/** Returns the prompt that is being written. It may be private, so it is stored for this tab only. */
function recallPrompt(): string {
  return readStored(() => sessionStorage, promptKey) ?? ''
}

function rememberPrompt(prompt: string): void {
  store(() => sessionStorage, promptKey, prompt)
}
