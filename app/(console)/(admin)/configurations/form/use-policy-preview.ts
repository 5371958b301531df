'use client'
import type { PolicyEffect } from '@toolgate/server/toolset/policy/policy-effect'
import { useEffect, useState } from 'react'
import { sendAction } from '@/components/forms/use-act'
import { withoutNeedlessNames } from '@/lib/protocol/tool-access'
import { previewPolicy } from '../actions'
import type { ConfigurationDraft } from './configuration-draft'

const pauseMs = 250

/** Returns which tools saving the draft allows and denies; null = not known yet. External system: the server's gates. */
export function usePolicyPreview(
  configurationId: string | null,
  { modelId, fallbackModelIds, allowedToolGroups, allowedTools }: ConfigurationDraft,
): PolicyEffect | null {
  const request = JSON.stringify({
    id: configurationId,
    modelIds: modelId === '' ? [] : [modelId, ...fallbackModelIds],
    ...withoutNeedlessNames({ allowedToolGroups, allowedTools }),
  })
  const [effect, setEffect] = useState<PolicyEffect | null>(null)
  useEffect(() => {
    let current = true
    const timer = setTimeout(async () => {
      const result = await sendAction(() => previewPolicy(JSON.parse(request)))
      if (current) setEffect(result.ok ? result.value : null)
    }, pauseMs)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [request])
  return effect
}
