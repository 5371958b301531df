'use server'
import { hostVerbs } from '@/lib/domains/hosts/verbs'
import { action } from '@/lib/kernel/action'

export const addHost = action(hostVerbs.create)
export const changeHost = action(hostVerbs.update)
export const removeHost = action(hostVerbs.remove)
