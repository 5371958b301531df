'use client'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { ActWithReason } from '@/components/forms/reason-dialog'
import { IconButton } from '@/components/ui/icon-button'
import type { ApprovalRuleListing } from '@/lib/domains/approvals/schemas'
import { visibleText } from '@/lib/protocol/clean-text'
import { removeRule } from '../actions'
import { withoutRule } from '../rule-words'

export function DeleteRule({ rule }: { rule: ApprovalRuleListing }) {
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
          send={(reason) => removeRule({ id: rule.id, reason })}
          onClose={() => setAsking(false)}
        >
          {withoutRule[rule.action]}
        </ActWithReason>
      )}
    </>
  )
}
