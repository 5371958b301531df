'use client'

import { useRef, useState } from 'react'
import type { ApprovalAnswer, ApprovalReply } from './approval-desk'

/** Sends one answer at a time and keeps what the last one came to; null = nothing is known yet. */
export function useReply(decide: (answer: ApprovalAnswer) => Promise<ApprovalReply>) {
  const underWay = useRef(false)
  const [busy, setBusy] = useState(false)
  const [reply, setReply] = useState<ApprovalReply | null>(null)
  const send = async (answer: ApprovalAnswer): Promise<ApprovalReply | null> => {
    if (underWay.current) return null
    underWay.current = true
    setBusy(true)
    setReply(null)
    const got = await decide(answer)
    underWay.current = false
    setBusy(false)
    setReply(got)
    return got
  }
  return { busy, reply, send, forget: () => setReply(null) }
}
