'use client'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { objectActions } from '@/app/(console)/(admin)/object-actions'
import { ActWithReason } from '@/components/forms/reason-dialog'
import { IconButton } from '@/components/ui/icon-button'
import { approvalRules, type Rule, withoutRule } from '@/lib/domains/approvals/shape'
import { visibleText } from '@/lib/words/clean-text'

const { remove } = objectActions(approvalRules)

export function DeleteRule({ rule }: { rule: Rule }) {
  const [asking, setAsking] = useState(false)
  const name = visibleText(rule.name)
  return (
    <>
      <IconButton label={`Delete ${name}`} size="sm" onClick={() => setAsking(true)}>
        <Trash2 aria-hidden />
      </IconButton>
      {asking && (
        <ActWithReason
          title={`Delete ${name}`}
          failed="The rule was not deleted"
          done={`Deleted ${name}`}
          send={(reason) => remove({ id: rule.id, reason })}
          onClose={() => setAsking(false)}
        >
          {withoutRule[rule.action]}
        </ActWithReason>
      )}
    </>
  )
}
