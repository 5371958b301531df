'use client'
import { type RefObject, useEffect, useState } from 'react'
import { usualConfiguration } from '@/components/nouns/usual-configuration'
import type { ConfigurationListing } from '@/lib/configurations/schemas'
import { noCap } from './cost-cap-wish'
import { recallDraft, recallSettings, rememberDraft, rememberSettings } from './remembered'
import { noFiles, noTask, type RunWish } from './run-wish'
import { restorePicked } from './tool-selection'
import type { ExplainedTools } from './use-explained-tools'

type Found = {
  configurations: ConfigurationListing[]
  /** For the configuration to begin with; null = the one that was asked for cannot be used. */
  explained: ExplainedTools
  /** True = the address asks for that one, whatever this browser remembers. */
  named: boolean
}

/** The form's state. Without a run to take it from, it is what this browser remembers, as far as it still exists. */
export function useRunWish(
  given: RunWish | null,
  { configurations, explained, named }: Found,
  field: RefObject<HTMLTextAreaElement | null>,
) {
  const [wish, setWish] = useState<RunWish>(() => ({
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page is there
  useEffect(() => {
    if (given) return
    const settings = recallSettings()
    const typed = field.current?.value
    setWish((before) => ({
      ...before,
      configurationId: named
        ? before.configurationId
        : usualConfiguration(configurations, settings?.configurationId ?? null),
      picked: settings?.tools ? restorePicked(explained.tools, settings.tools) : null,
      maxRounds: settings?.maxRounds ?? '',
      prompt: typed || recallDraft() || before.prompt,
    }))
  }, [])

  const change = (part: Partial<RunWish>) => {
    const next = { ...wish, ...part }
    setWish(next)
    if (!next.task) rememberDraft(next.prompt)
    rememberSettings({
      // None is picked while the one that was asked for cannot be used: that is nothing to remember.
      configurationId: next.configurationId ?? recallSettings()?.configurationId ?? null,
      tools: next.picked && [...next.picked],
      maxRounds: next.maxRounds,
    })
  }
  return [wish, change] as const
}
