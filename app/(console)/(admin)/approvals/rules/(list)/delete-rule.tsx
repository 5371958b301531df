'use client'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { ActWithReason } from '@/components/forms/reason-dialog'
import { IconButton } from '@/components/ui/icon-button'
import { type Rule, withoutRule } from '@/lib/domains/approvals/shape'
import { visibleText } from '@/lib/words/clean-text'
import { removeRule } from '../actions'

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
          send={(reason) => removeRule({ id: rule.id, reason })}
          onClose={() => setAsking(false)}
        >
          {withoutRule[rule.action]}
        </ActWithReason>
      )}
    </>
  )
}
