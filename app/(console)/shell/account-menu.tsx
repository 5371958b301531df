'use client'
import { CircleUser, LogOut, Settings2 } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { forgetUnsaved, mayLeave } from '@/components/forms/may-leave'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '@/components/ui/dropdown-menu'
import { IconButton } from '@/components/ui/icon-button'
import { useToast } from '@/components/ui/toast'
import type { Actor } from '@/lib/protocol/tool'

export function AccountMenu({ actor, name }: { actor: Actor; name: string }) {
  const toast = useToast()
  const router = useRouter()
  const openAccount = () => {
    if (mayLeave('/account')) router.push('/account')
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
    <DropdownMenu>
      <DropdownMenuTrigger id="account-menu" asChild>
        <IconButton label={`Account: ${actor.email}`} tooltipSide="bottom">
          <CircleUser aria-hidden />
        </IconButton>
      </DropdownMenuTrigger>
      <DropdownMenuContent aria-labelledby="account-menu" align="end" className="max-w-72">
        <div className="px-2 py-1.5">
          <p className="truncate font-medium text-strong">{name}</p>
          <p className="truncate text-muted text-sm">{actor.email}</p>
          <p className="text-muted text-sm">{actor.role === 'admin' ? 'Admin' : 'Member'}</p>
        </div>
        <DropdownMenuSeparator />
        <DropdownMenuItem onSelect={openAccount}>
          <Settings2 aria-hidden />
          Your account
        </DropdownMenuItem>
        <DropdownMenuItem onSelect={leave}>
          <LogOut aria-hidden />
          Sign out
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  )
}
