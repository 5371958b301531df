import type { EditableConfiguration } from '@/lib/configurations/read-editable-configuration'
import { configurationLabels, diffConfigurations } from '@/lib/protocol/configuration-diff'
import { type ConfigurationDraft, draftOf } from './configuration-draft'
import type { Conflict } from './conflict-notice'
import { mergeDrafts } from './merge-drafts'

/** What happened between the opening of a form and now, and where that meets what was typed. */
export function conflictOf(
  opened: EditableConfiguration,
  draft: ConfigurationDraft,
  now: EditableConfiguration,
): Conflict {
  const { clashes } = mergeDrafts(draftOf(opened.form), draft, draftOf(now.form))
  return {
    version: now.version,
    differences: diffConfigurations(opened.form, now.form),
    clashes: clashes.map((field) => labels[field]),
  }
}

/** The draft with what others changed and this form did not. */
export function joined(
  opened: EditableConfiguration,
  draft: ConfigurationDraft,
  now: EditableConfiguration,
): ConfigurationDraft {
  return mergeDrafts(draftOf(opened.form), draft, draftOf(now.form)).draft
}

const {
  model: modelId,
  fallbacks: fallbackModelIds,
  timeLimitMs: timeLimit,
  costCapMicroUsd: costCap,
  groups: groupIds,
  ...others
} = configurationLabels

const labels: Record<keyof ConfigurationDraft, string> = {
  ...others,
  modelId,
  fallbackModelIds,
  timeLimit,
  costCap,
  groupIds,
}
