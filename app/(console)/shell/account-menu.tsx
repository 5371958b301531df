'use client'
import { CircleUser, LogOut, ScrollText, Settings2 } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { forgetUnsaved, mayLeave } from '@/components/forms/may-leave'
import { IconButton } from '@/components/ui/icon-button'
import { MenuButton } from '@/components/ui/menu-button'
import { useToast } from '@/components/ui/toast'
import type { Actor } from '@/lib/protocol/tool'
import { visibleText } from '@/lib/words/clean-text'

export function AccountMenu({ actor, name }: { actor: Actor; name: string }) {
  const toast = useToast()
  const router = useRouter()
  const open = (page: string) => {
    if (mayLeave(page)) router.push(page)
  }
  const leave = async () => {
    if (!mayLeave()) return
    try {
      const { signOut } = await import('next-auth/react')
      await signOut({ redirect: false })
      forgetUnsaved()
      window.location.assign('/sign-in')
    } catch {
      toast({
        tone: 'error',
        title: 'You are still signed in',
        description: 'The server cannot be reached. Try again.',
      })
    }
  }
  return (
    <MenuButton
      id="account-menu"
      align="end"
      head={
        <>
          <div className="px-2 py-1.5">
            <p className="truncate font-medium text-strong">{name}</p>
            <p className="truncate text-muted text-sm">{actor.email}</p>
            <p className="text-muted text-sm">{actor.role === 'admin' ? 'Admin' : 'Member'}</p>
          </div>
          <div className="-mx-1 my-1 h-px bg-line" />
        </>
      }
      entries={[
        { label: 'Your account', icon: Settings2, onSelect: () => open('/account') },
        { label: 'Memory', icon: ScrollText, onSelect: () => open('/memory') },
        { label: 'Sign out', icon: LogOut, onSelect: leave },
      ]}
    >
      <IconButton label={`Account: ${visibleText(name)}`} tooltipSide="bottom">
        <CircleUser aria-hidden />
      </IconButton>
    </MenuButton>
  )
}
