import {
  FileClock,
  GraduationCap,
  Hand,
  type LucideIcon,
  MessagesSquare,
  ScrollText,
  SlidersHorizontal,
  UserRound,
  UsersRound,
  Wrench,
} from 'lucide-react'
import type { Role } from '@/lib/protocol/tool'

export type Destination = {
  href: string
  label: string
  icon: LucideIcon
  section: 'Work' | 'Govern' | 'Models' | 'Money' | 'Site'
  /** Who finds it in the navigation. The page itself decides who may open it. */
  role: Role
}

/** Every page of the console, in the order of the rail. A new page is one line here. */
const destinations: readonly Destination[] = [
  {
    href: '/playground',
    label: 'Playground',
    icon: MessagesSquare,
    section: 'Work',
    role: 'member',
  },
  { href: '/runs', label: 'Runs', icon: ScrollText, section: 'Work', role: 'member' },
  { href: '/approvals', label: 'Approvals', icon: Hand, section: 'Work', role: 'member' },
  { href: '/tools', label: 'Tools', icon: Wrench, section: 'Govern', role: 'admin' },
  { href: '/skills', label: 'Skills', icon: GraduationCap, section: 'Govern', role: 'admin' },
  {
    href: '/configurations',
    label: 'Configurations',
    icon: SlidersHorizontal,
    section: 'Models',
    role: 'admin',
  },
  { href: '/users', label: 'Users', icon: UserRound, section: 'Site', role: 'admin' },
  { href: '/groups', label: 'Groups', icon: UsersRound, section: 'Site', role: 'admin' },
  { href: '/audit', label: 'Audit', icon: FileClock, section: 'Site', role: 'admin' },
]

export function destinationsFor(role: Role): Destination[] {
  return destinations.filter((destination) => role === 'admin' || destination.role === 'member')
}

/** The destination a path belongs to, `/runs/abc` to Runs. */
export function destinationAt(pathname: string): Destination | undefined {
  return destinations.find(({ href }) => pathname === href || pathname.startsWith(`${href}/`))
}
