import { UseMock } from './index';

/** Lanes for the tests of a file. */
export const useMock: UseMock;
