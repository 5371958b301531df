'use client'
import { CircleCheck, CircleX, X } from 'lucide-react'
import { Toast as Radix } from 'radix-ui'
import { useEffect, useEffectEvent } from 'react'
import { visibleText } from '@/lib/words/clean-text'
import { Button } from './button'
import { IconButton } from './icon-button'

export type ShownToast = {
  id: number
  tone: 'ok' | 'error'
  title: string
  /** Cause and next step, when the title does not say them. */
  description?: string
  action?: { label: string; onClick: () => void }
  /** Subject of the message. A newer message with the same subject replaces it with its outdated Undo. */
  about?: string
}

export type NoticesProps = {
  shown: readonly ShownToast[]
  show: (message: Omit<ShownToast, 'id'>) => void
  onClose: (id: number) => void
}

/** Shows messages in the corner. */
export function Notices({ shown, show, onClose }: NoticesProps) {
  return (
    <Radix.Provider label="Notice" swipeDirection="right">
      <OfflineGuard toast={show} />
      {shown.map((toast) => (
        <Notice key={toast.id} toast={toast} onClose={() => onClose(toast.id)} />
      ))}
      {/* Above the bar with the page's main button, so that it does not cover the button. */}
      <Radix.Viewport className="fixed right-0 bottom-0 z-60 flex max-h-dvh w-full max-w-104 list-none flex-col gap-2 overflow-y-auto p-4 outline-none max-md:in-[:root:has([data-bottom-bar])]:bottom-16" />
    </Radix.Provider>
  )
}

function Notice({ toast, onClose }: { toast: ShownToast; onClose: () => void }) {
  const Icon = toast.tone === 'ok' ? CircleCheck : CircleX
  return (
    <Radix.Root
      duration={toast.tone === 'ok' ? 8000 : Number.POSITIVE_INFINITY}
      type={toast.tone === 'ok' ? 'background' : 'foreground'}
      onOpenChange={(open) => !open && onClose()}
      className="flex animate-appear items-start gap-2 rounded-md border bg-surface-1 p-3 shadow-float"
    >
      <Icon
        className={`mt-0.5 size-4 shrink-0 ${toast.tone === 'ok' ? 'text-ok' : 'text-error'}`}
        aria-hidden
      />
      <div className="min-w-0 flex-1">
        <Radix.Title className="font-medium text-strong">{visibleText(toast.title)}</Radix.Title>
        {toast.description && (
          <Radix.Description className="text-muted text-sm">
            {visibleText(toast.description)}
          </Radix.Description>
        )}
      </div>
      {toast.action && (
        <Radix.Action asChild altText={toast.action.label}>
          <Button size="sm" onClick={toast.action.onClick}>
            {toast.action.label}
          </Button>
        </Radix.Action>
      )}
      <Radix.Close asChild>
        <IconButton label="Close" size="sm">
          <X aria-hidden />
        </IconButton>
      </Radix.Close>
    </Radix.Root>
  )
}

/**
 * Keeps the page when a link is followed while the browser is offline, because its error page would take the place of what was
 * typed. A server on this machine may still answer.
 */
function OfflineGuard({ toast }: { toast: NoticesProps['show'] }) {
  const onClick = useEffectEvent(async (event: MouseEvent) => {
    const link =
      event.target instanceof Element && event.target.closest<HTMLAnchorElement>('a[href]')
    if (navigator.onLine || !link || link.target || link.hash || event.ctrlKey || event.metaKey)
      return
    event.preventDefault()
    event.stopPropagation()
    const answer = await fetch('/api/health').catch(() => null)
    if (answer?.ok) location.assign(link.href)
    else
      toast({
        tone: 'error',
        title: 'You are offline',
        description: 'Try again when you are online.',
      })
  })
  // External system: the browser, whose own error page would follow. Before React's listener, which follows links.
  useEffect(() => {
    document.addEventListener('click', onClick, true)
    return () => document.removeEventListener('click', onClick, true)
  }, [])
  return null
}
