/** What the other form cannot express. */
export interface ConversionLoss {
  /** The step or node that it is about. */
  step?: string;
  message: string;
}
