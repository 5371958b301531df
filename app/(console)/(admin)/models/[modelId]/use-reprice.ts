'use client'
import type { RepricedBatch, RepricePreview } from '@toolgate/server/domains/usage/reprice'
import { useRouter } from 'next/navigation'
import { useEffect, useRef, useState } from 'react'
import { sendAction } from '@/components/forms/use-act'
import type { ActionResult } from '@/lib/next/action'
import { previewCosts, repriceBatch } from '../actions'

export type RepriceState =
  | { type: 'asking' }
  | { type: 'previewed'; preview: RepricePreview }
  | { type: 'working'; done: number; runs: number }
  | { type: 'done'; done: number }
  | { type: 'failed'; message: string }

/** Asks what would change, then updates past runs in batches until all are done or it is stopped. */
export function useReprice(modelId: string) {
  const router = useRouter()
  const [state, setState] = useState<RepriceState>({ type: 'asking' })
  const stopped = useRef(false)
  // External system: the server, asked once when the question opens.
  useEffect(() => {
    let left = false
    void sendAction(() => previewCosts({ modelId })).then((result) => {
      if (left) return
      if (result.ok) setState({ type: 'previewed', preview: result.value })
      else setState({ type: 'failed', message: result.error.message })
    })
    return () => {
      left = true
    }
  }, [modelId])

  const start = async () => {
    if (state.type !== 'previewed') return
    const { runs } = state.preview
    let done = 0
    let after: string | null = null
    stopped.current = false
    do {
      setState({ type: 'working', done, runs })
      const result = await sendBatch(modelId, after)
      if (!result.ok) return setState({ type: 'failed', message: result.error.message })
      done += result.value.runs
      after = result.value.next
    } while (after !== null && !stopped.current)
    setState({ type: 'done', done })
    router.refresh()
  }
  const stop = () => {
    stopped.current = true
  }
  return { state, start, stop }
}

function sendBatch(modelId: string, after: string | null): Promise<ActionResult<RepricedBatch>> {
  return sendAction(() => repriceBatch({ modelId, after }))
}
