import type { ReactNode } from 'react'
import { PageHead } from '@/components/shell/page-head'
import { PageFrame } from '@/components/ui/page-frame'
import type { RuleChoices } from './read-choices'
import type { RuleDraft } from './rule-draft'
import { RuleForm, type StoredRule } from './rule-form'

/** Shows the page that adds a rule (`stored` null) or changes one. */
export function RulePage({
  title,
  state,
  action,
  stored,
  initial,
  choices,
  observed = null,
}: {
  title: ReactNode
  /** The switch of a rule that is stored, and its menu. */
  state?: ReactNode
  action?: ReactNode
  stored: StoredRule | null
  initial: RuleDraft
  choices: RuleChoices
  /** Number of calls it matched so far, where that is counted. */
  observed?: ReactNode
}) {
  return (
    <PageFrame kind="detail">
      <PageHead title={title} state={state} action={action}>
        A rule matches calls that fit every field set here.
      </PageHead>
      {observed}
      <RuleForm stored={stored} initial={initial} choices={choices} />
    </PageFrame>
  )
}
