'use client'
import { useRouter } from 'next/navigation'
import { useEffect, useRef, useState, useTransition } from 'react'
import { useLastAnswer, usePendingCheck } from '@/components/shell/pending-approvals'
import type { ApprovalAnswer, ApprovalReply } from '@/components/trace/approval-actions'
import { useToast } from '@/components/ui/toast'
import { visibleText } from '@/lib/protocol/clean-text'
import type { ApprovalRow } from '@/lib/runs/list-approvals'
import { sendAnswer } from '../send-answer'
import { PendingCall } from './pending-call'

/** Lists the waiting calls, longest wait first. A decided call leaves the list at once; its run shows the result. */
export function PendingList({ rows }: { rows: ApprovalRow[] }) {
  const list = useRef<HTMLUListElement>(null)
  const [answered, setAnswered] = useState<readonly string[]>([])
  const decide = useDecide((approvalId) => setAnswered((before) => [...before, approvalId]))
  useFreshRows()
  const shown = rows.filter(({ approvalId }) => !answered.includes(approvalId))
  return (
    <ul
      ref={list}
      tabIndex={-1}
      aria-label="Waiting calls"
      className="flex flex-col gap-3 outline-none"
    >
      {shown.map((row) => (
        <li key={row.approvalId}>
          <PendingCall
            row={row}
            decide={(answer) => decide(row, answer)}
            onGone={() => list.current?.focus()}
          />
        </li>
      ))}
      {shown.length === 0 && <li className="py-8 text-center text-muted">Checking for more…</li>}
    </ul>
  )
}

/** Sends an answer, shows a message about the result, and reads the list again. */
function useDecide(leave: (approvalId: string) => void) {
  const toast = useToast()
  const router = useRouter()
  const check = usePendingCheck()
  return async (row: ApprovalRow, answer: ApprovalAnswer): Promise<ApprovalReply> => {
    const { approvalId, argumentsHash, runId } = row
    const reply = await sendAnswer({ approvalId, argumentsHash }, answer)
    if (reply.type === 'refused') return reply
    const name = visibleText(row.toolName)
    const action = { label: 'Open run', onClick: () => router.push(`/runs/${runId}`) }
    if (reply.type === 'decided') {
      toast({ tone: 'ok', title: `${verbs[answer.type]} ${name}`, action })
    } else {
      toast({
        tone: 'error',
        title: `Your decision about ${name} came too late`,
        description: reply.message,
        action,
      })
    }
    leave(approvalId)
    check()
    router.refresh()
    return reply
  }
}

const verbs = { approve: 'Approved', edit: 'Edited and approved', deny: 'Denied' } as const

/**
 * Refreshes the list after each answer of the badge's query, because then the server is reachable. A refresh that fails
 * would leave the page and lose what is typed on it. Outside system: the server.
 */
function useFreshRows(): void {
  const router = useRouter()
  const [pending, startTransition] = useTransition()
  const answeredAt = useLastAnswer(10_000)
  const shownAt = useRef(answeredAt)
  useEffect(() => {
    // A refresh during a navigation would start that navigation again.
    if (pending || shownAt.current === answeredAt) return
    shownAt.current = answeredAt
    startTransition(() => router.refresh())
  }, [answeredAt, pending, router])
}
