'use client'
import { CircleCheck, CircleX, X } from 'lucide-react'
import { Toast as Radix } from 'radix-ui'
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import { visibleText } from '@/lib/protocol/clean-text'
import { Button } from './button'
import { IconButton } from './icon-button'

type ToastMessage = {
  tone: 'ok' | 'error'
  title: string
  /** What happened and what to do, when the title does not say it all. */
  description?: string
  action?: { label: string; onClick: () => void }
  /** What the message is about. A newer message about the same thing replaces it with its outdated Undo. */
  about?: string
}
type Shown = ToastMessage & { id: number }
type Show = (message: ToastMessage) => void

const ToastContext = createContext<Show | null>(null)

/** Returns a function that shows a message in the corner, as text. Errors stay until they are closed. */
export function useToast(): Show {
  const show = useContext(ToastContext)
  if (!show) throw new Error('useToast needs ToastProvider above it')
  return show
}

const mostOthers = 2

/** Drops messages that close by themselves before errors, which stay until they are closed. */
function withRoom(shown: Shown[]): Shown[] {
  const surplus = shown
    .filter(({ tone }) => tone === 'ok')
    .slice(0, Math.max(0, shown.length - mostOthers))
  return shown.filter((each) => !surplus.includes(each))
}

function isReplaced(old: Shown, next: Shown): boolean {
  if (next.about && old.about === next.about) return true
  return old.tone === 'error' && old.title === next.title && old.description === next.description
}

/** Shows the messages of the page; rendered once, in the root layout. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<Shown[]>([])
  const show = useMemo<Show>(() => {
    let id = 0
    return (message) => {
      id += 1
      const next = { ...message, id }
      setShown((before) => [...withRoom(before.filter((old) => !isReplaced(old, next))), next])
    }
  }, [])
  const close = (id: number) => setShown((before) => before.filter((toast) => toast.id !== id))
  return (
    <ToastContext value={show}>
      <Radix.Provider label="Notice" swipeDirection="right">
        {children}
        {shown.map((toast) => (
          <Notice key={toast.id} toast={toast} onClose={() => close(toast.id)} />
        ))}
        {/* Above the bar with the page's main button, so that it does not cover the button. */}
        <Radix.Viewport className="fixed right-0 bottom-0 z-60 flex max-h-dvh w-full max-w-104 list-none flex-col gap-2 overflow-y-auto p-4 outline-none max-md:in-[:root:has([data-bottom-bar])]:bottom-16" />
      </Radix.Provider>
    </ToastContext>
  )
}

function Notice({ toast, onClose }: { toast: Shown; onClose: () => void }) {
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
