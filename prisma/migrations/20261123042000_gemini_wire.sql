-- AlterEnum
ALTER TYPE "Wire" ADD VALUE 'gemini';
