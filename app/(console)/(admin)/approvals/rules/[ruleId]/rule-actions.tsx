'use client'
import { objectActions } from '@/app/(console)/(admin)/object-actions'
import { useDeletion } from '@/components/resource/use-deletion'
import { MoreMenu } from '@/components/ui/more-menu'
import { approvalRules, type Rule, withoutRule } from '@/lib/domains/approvals/shape'

const { remove } = objectActions(approvalRules)

/** Shows the menu of a rule's page. Its only entry deletes the rule. */
export function RuleActions({ id, name, action }: Pick<Rule, 'id' | 'name' | 'action'>) {
  const deletion = useDeletion({
    resource: approvalRules,
    id,
    name,
    remove,
    children: withoutRule[action],
  })
  return (
    <>
      <MoreMenu entries={[deletion.entry]} />
      {deletion.dialog}
    </>
  )
}
