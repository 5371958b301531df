'use server'
import { askForHost, declineHostRequest } from '@toolgate/server/domains/hosts/requests'
import { action } from '@/lib/next/action'

export const askForHostHere = action(askForHost)
export const declineRequest = action(declineHostRequest)
